"""A program under QEMU with the profiler plugin: started, watched, ended; and the profiles that come from it."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO

from bancada.build.symbols import Symbols
from bancada.costing.memory import CacheLevel, LateRegion, Memory
from bancada.costing.profile import Profile
from bancada.engines.qemu.plugin import Reader, emulator_version, plugin
from bancada.model.errors import UserError

# The memory that the emulator's place and the profiler's blocks are in (engines/qemu/blocks.h): room for five million
# blocks, of which only what is used is ever there.
_WHERE_BYTES = 1 << 30
_WORD_BYTES = 8
# At most one of so many parts of what a process may have is shared.
_PARTS_OF_MEMORY = 16
_PIPE_BYTES = 65536


def _cache_option(level: CacheLevel) -> str:
    """A level as the plugin reads it (engines/qemu/cache.h)."""
    serves = "".join(what[0] for what in level.serves) or "-"
    behind = "".join(f"{name}+" for name in level.misses_of)
    numbers = f"{level.line_bytes}:{level.sets}:{level.ways}:{level.first_address:x}:{level.last_address:x}:{int(level.write_allocate)}"
    return f"cache={level.name}:{serves}:{numbers}:{behind}"


def _loads_option(region: LateRegion) -> str:
    """A region as the plugin reads it (engines/qemu/loads.h)."""
    return f"loads={region.name}:{region.first_address:x}:{region.last_address:x}"


def _shared_memory() -> int:
    """A file in memory. Where files (`ulimit -f`) or a process's memory (`ulimit -v`) are limited it is shorter, so
    that the emulator has room for the program: the profiler has the blocks that it is too short for elsewhere."""
    limits = (
        resource.getrlimit(resource.RLIMIT_FSIZE)[0],
        resource.getrlimit(resource.RLIMIT_AS)[0] // _PARTS_OF_MEMORY,
    )
    file = os.memfd_create("bancada")
    try:
        os.truncate(file, min([_WHERE_BYTES, *(limit for limit in limits if limit >= 0)]))
    except OSError as error:
        os.close(file)
        raise UserError(f"There is no memory to share with the emulator: {error.strerror}.") from error
    return file


def _sets_file(symbols: Symbols) -> IO[bytes]:
    """The instruction sets by address as the plugin reads them (engines/qemu/sets.h)."""
    file = tempfile.TemporaryFile()
    for address, instruction_set in zip(symbols.mapping_addresses, symbols.mapping_sets, strict=True):
        if instruction_set is not None:
            file.write(f"{address:x} {instruction_set[0]}\n".encode())
    file.flush()
    file.seek(0)
    return file


def _dying_with_us() -> tuple[str, ...]:
    """An emulated machine continues to run when no program listens to it: if this process is killed, the kernel ends
    it. The shell starts nothing if this process was killed before the kernel was told."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    return (setpriv, "--pdeathsig", "KILL", "--", "/bin/sh", "-c", 'test "$PPID" = "$0" && exec "$@"', str(os.getpid()))


class QemuProcess:
    """One run of an emulator. Use as a context manager; leaving it ends the emulator."""

    def __init__(
        self,
        command: Sequence[str],
        symbols: Symbols,
        options: Sequence[str],
        *,
        memory: Memory | None = None,
        is_counted: bool = True,
        folder: Path | None = None,
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | None = None,
        image_end: int | None = None,
    ) -> None:
        """`command` is the emulator with its arguments; `options` are the plugin's besides those for files, stack and
        caches.

        Without `stdout`, what the program prints goes to the same file as what the emulator says. Without `is_counted`
        there is no plugin, and there are no profiles. The program runs in `folder`, and has no environment: what lies
        at the top of its stack decides where its stack lies in a cache's lines. `image_end` is the Reader's.
        """
        emulator_version(command[0])  # UserError if it is missing
        self._symbols = symbols
        self._is_counted = is_counted
        levels = memory.level if memory else ()
        regions = memory.late_region if memory else ()
        sequential = tuple(level.name for level in levels if level.sequential_miss_cycles is not None)
        self.reader = Reader(sequential, image_end)
        self._said = tempfile.TemporaryFile()
        self._where = _shared_memory()
        self.events, events_write = os.pipe()
        with _sets_file(symbols) as sets:
            files = {"out": events_write, "where": self._where, "sets": sets.fileno()}
            every = [*(f"{name}={number}" for name, number in files.items()), *options]
            every += [*map(_cache_option, levels), *map(_loads_option, regions)]
            profiler = ["-plugin", ",".join([str(plugin(command[0])), *every])] if is_counted else []
            self.process = subprocess.Popen(
                [*_dying_with_us(), shutil.which(command[0]) or command[0], *profiler, *command[1:]],
                cwd=folder,
                env={},
                stdin=stdin,
                stdout=self._said if stdout is None else stdout,
                stderr=self._said,
                pass_fds=tuple(files.values()),
                bufsize=0,
                start_new_session=True,  # Ctrl-C is the campaign's to handle, not the emulator's
            )
        os.close(events_write)
        os.set_blocking(self.events, False)

    def __enter__(self) -> QemuProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the emulator."""
        self.process.kill()
        self.process.wait()
        os.close(self.events)
        os.close(self._where)
        for stream in (self.process.stdin, self.process.stdout, self._said):
            if stream is not None:
                stream.close()

    def profiles(self, most: int = sys.maxsize) -> tuple[list[Profile], bool]:
        """At most so many of the profiles that have come since the last call, and whether more can. Errors as
        `Reader.feed`."""
        found: list[Profile] = []
        while len(found) < most:
            try:
                data = os.read(self.events, _PIPE_BYTES)
            except BlockingIOError:
                return found, True
            if not data:
                return found, False
            found += islice(self.reader.feed(data), most - len(found))
        return found, True

    def place(self) -> str | None:
        """The function under execution; None where nothing is counted."""
        if not self._is_counted:
            return None
        block = self._word(_WORD_BYTES) - self._word(0)
        return self._symbols.function_at(self._word(block)) if 0 < block < _WHERE_BYTES else None

    def _word(self, offset: int) -> int:
        return int.from_bytes(os.pread(self._where, _WORD_BYTES, offset), "little")

    def said(self, most: int = 300) -> str:
        """The end of what the emulator said."""
        length = os.fstat(self._said.fileno()).st_size
        return os.pread(self._said.fileno(), most, max(length - most, 0)).decode(errors="replace").strip()

    def ending(self) -> str:
        """How the program ended, as the end of a sentence that begins with its name."""
        status = self.process.wait()
        if self.reader.has_ended or status == 0:
            return "ended"
        place = self.place()
        reason = f" ({signal.strsignal(-status)})" if status < 0 else ""
        return f"crashed{f' in {place}' if place else ''}{reason}"
