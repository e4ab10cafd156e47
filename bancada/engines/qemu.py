"""The engine `qemu`: QEMU with the profiler plugin of engines/qemu.

`profile_program` profiles any ELF that `qemu-arm`, `qemu-aarch64` or `qemu-system-arm` runs:

    [profile] = profile_program(Path("aes"), function="aes_encrypt", cpu="cortex-a8")
    [profile] = profile_program(Path("aes"), begin="timing_begin", end="timing_end")
"""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from bancada.costing.profile import Profile
from bancada.engines.qemu_plugin import JumpedTo, Reader, emulator_version, plugin, source_digest
from bancada.errors import UserError
from bancada.symbols import Symbols, symbols

_WHERE_BYTES = 8
_SAID_BYTES = 300


def _address(found: Symbols, place: str | int) -> int:
    return found.address(place) if isinstance(place, str) else place


def _command(qemu: str, plugin_options: Sequence[str], cpu: str | None, machine: str | None, elf: Path) -> list[str]:
    command = [qemu, "-plugin", ",".join([str(plugin(qemu)), *plugin_options])]
    if cpu is not None:
        command += ["-cpu", cpu]
    if "system" in qemu:
        return [*command, "-machine", machine or "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "stdio",
                "-semihosting", "-kernel", str(elf)]  # fmt: skip
    return [*command, str(elf)]


def profile_program(
    elf: Path,
    begin: str | int | None = None,
    end: str | int | None = None,
    *,
    function: str | int | None = None,
    first_call: int = 1,
    calls: int = 1,
    qemu: str = "qemu-arm",
    cpu: str | None = None,
    machine: str | None = None,
    arguments: Sequence[str] = (),
    limit_s: float = 120.0,
) -> list[Profile]:
    """The profiles of `calls` regions of a program, one after the other, from the `first_call`-th on (counted from 1).

    Either `function` is given: a region is one call of it, from its first instruction to the return to its caller (its own
    recursion is inside). Or `begin` and `end`: a region is from before the instruction at `begin` to before the instruction at
    `end`. Each is a symbol or an address. The program is stopped when the last region is read.

    UserError if a symbol is not there, the program ends or crashes before, or `limit_s` have passed.
    """
    found = symbols(elf)
    start = function if function is not None else begin
    if start is None or (function is None) == (end is None):
        raise UserError("A profile needs either a function, or where to begin and where to end.")
    events_read, events_write = os.pipe()
    options = [f"out={events_write}", f"begin={_address(found, start):#x}", f"skip={first_call - 1}"]
    if end is not None:
        options.append(f"end={_address(found, end):#x}")
    reader = Reader(found)
    profiles: list[Profile] = []
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as where:
        where.truncate(_WHERE_BYTES)
        options.append(f"where={where.fileno()}")
        process = subprocess.Popen(
            [*_command(qemu, options, cpu, machine, elf), *arguments],
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
            pass_fds=(events_write, where.fileno()), start_new_session=True,
        )  # fmt: skip
        os.close(events_write)
        try:
            deadline = time.monotonic() + limit_s
            while len(profiles) < calls:
                if not select.select([events_read], [], [], max(deadline - time.monotonic(), 0))[0]:
                    place = _place(where.fileno(), found)
                    raise UserError(f"{elf.name} did not come to an end of {start} within {limit_s:g} s; it was in {place}.")
                data = os.read(events_read, 65536)
                if not data:
                    break
                profiles += islice(reader.feed(data), calls - len(profiles))
        except JumpedTo as jump:
            place = found.function_at(jump.address)
            raise UserError(
                f"{elf.name}: {start} is reached by a jump from {place}, not by a call, so where it returns to cannot be known: name {place} instead."
            ) from jump
        finally:
            process.kill()
            status = process.wait()
            os.close(events_read)
        if len(profiles) < calls:
            raise _too_few(elf, start, len(profiles) + first_call - 1, reader, status, _place(where.fileno(), found), said.fileno())
    return profiles[:calls]


def _place(where: int, found: Symbols) -> str:
    return found.function_at(int.from_bytes(os.pread(where, _WHERE_BYTES, 0), "little"))


def _too_few(elf: Path, start: str | int, times: int, reader: Reader, status: int, place: str, said: int) -> UserError:
    output = os.pread(said, 65536, 0)[-_SAID_BYTES:].decode(errors="replace").strip()
    ending = "ended" if reader.has_ended else f"crashed in {place}"
    return UserError(f"{elf.name} {ending} after {times} of the regions at {start} were complete; it said: {output or 'nothing'}.")


def engine_version(qemu: str) -> str:
    """The emulator and the digest of the plugin's sources, as results record it."""
    return f"{emulator_version(qemu)}, profiler {source_digest()}"
