"""The profiler plugin of engines/qemu: builds it when it is missing or stale, and reads what it writes."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bancada.catalogue.paths import data_root
from bancada.costing.memory import SEQUENTIAL
from bancada.costing.profile import ENTRY, Block, CacheCounts, Edge, InstructionSet, Profile
from bancada.engines.packaged import program as packaged_program
from bancada.model.errors import UserError

_FLAGS = ("-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2", "-fPIC", "-shared", "-fvisibility=hidden")

# The first QEMU of each version of the plugin interface (include/qemu/qemu-plugin.h).
_INTERFACES = (((9, 2), 4), ((9, 1), 3), ((9, 0), 2), ((0, 0), 1))


def emulator_package(program: str) -> str:
    """The package of Debian and Ubuntu that has the emulator."""
    return program if program.startswith("qemu-system-") else "qemu-user"


@cache
def emulator_version(program: str) -> str:
    """First line of `program --version`; UserError naming the package if it is not installed."""
    if shutil.which(program) is None:
        raise UserError(
            f"The emulator '{program}' is not installed; install it with: apt-get install {emulator_package(program)}"
        )
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return output.splitlines()[0].strip()


# Every version of the interface that the plugin can be built for.
INTERFACES = tuple(interface for _, interface in _INTERFACES)


def _interface(program: str) -> int:
    found = re.search(r"version (\d+)\.(\d+)", emulator_version(program))
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    return next(interface for first, interface in _INTERFACES if version >= first)


def _sources() -> list[Path]:
    return sorted((data_root() / "engines" / "qemu").glob("*.[ch]"))


@cache
def source_digest() -> str:
    """Identifies the plugin's sources, for the record of what made a result."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in _sources())).hexdigest()[:16]


def build_command(compiler: str, interface: int, binary: Path) -> list[str]:
    """What compiles the plugin for that version of the plugin interface."""
    sources = [str(path) for path in _sources() if path.suffix == ".c"]
    return [compiler, *_FLAGS, f"-DBANCADA_PLUGIN_API={interface}", "-o", str(binary), *sources]


@cache
def plugin(program: str) -> Path:
    """The plugin for that emulator, built from this version's sources if necessary.

    UserError if there is no emulator, no C compiler, or the build fails, with what to install.
    """
    interface = _interface(program)
    binary = packaged_program("qemu", f"qemu-{source_digest()}", f"profiler-{interface}.so")
    if binary.is_file():
        return binary
    if shutil.which("cc") is None:
        raise UserError(
            "The engine 'qemu' is built with the C compiler 'cc', which is not installed; install it with: apt-get"
            " install gcc libc6-dev"
        )
    binary.parent.mkdir(parents=True, exist_ok=True)
    partial = binary.with_name(f"{binary.name}.{os.getpid()}-{threading.get_ident()}")
    done = subprocess.run(build_command("cc", interface, partial), capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        first = next(
            (line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip() or "no message"
        )
        raise UserError(f"The engine 'qemu' does not build ({first}); it needs: apt-get install gcc libc6-dev")
    os.replace(partial, binary)
    return binary


_SETS: dict[str, InstructionSet] = {"t": "thumb", "a": "arm", "x": "aarch64"}


class JumpedTo(Exception):
    """The function was reached by a jump, from the block at `address`, so that where it returns to is not known."""

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.address = address


class SecondThread(Exception):
    """The program started a thread: the blocks of two threads would be counted as if one led to the other."""


class UnknownCode(Exception):
    """Code of a shared library, at `address`, that may be of either instruction set of a 32-bit Arm."""

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.address = address


class Reader:
    """Turns the plugin's lines (engines/qemu/plugin.c and blocks.h) into profiles, as they come."""

    def __init__(self, sequential: tuple[str, ...] = (), image_end: int | None = None) -> None:
        """`sequential` names the caches whose sequential accesses are wanted apart (bancada.costing.memory).
        `image_end` is where the code ends whose instruction sets the symbols tell, if there is other code."""
        self._sequential = sequential
        self._image_end = image_end
        self._blocks: dict[int, Block] = {}
        self._edges: list[tuple[int, int, int]] = []
        self._stack_bytes = 0
        self._behind: int | None = None
        self._caches: list[CacheCounts] = []
        self._unread = b""
        self.has_ended = False
        self.begun: int | None = None  # regions that began, known when the program has ended

    def feed(self, data: bytes) -> Iterator[Profile]:
        """The profiles that end in `data`. JumpedTo if a function cannot be followed, SecondThread, UnknownCode."""
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            kind, *words = line.decode("ascii").split(" ")
            if kind == "E":
                self._edges.append((int(words[0]), int(words[1]), int(words[2])))
            elif kind == "B":
                self._blocks[int(words[0])] = Block(int(words[1], 16), bytes.fromhex(words[3]), _SETS[words[2]])
            elif kind == "S":
                self._stack_bytes = int(words[0])
            elif kind == "H":
                self._behind = int(words[0])
            elif kind == "C":
                self._caches.append(CacheCounts(words[0], int(words[1]), int(words[2]), int(words[5])))
                if words[0] in self._sequential:
                    self._caches.append(CacheCounts(words[0] + SEQUENTIAL, int(words[3]), int(words[4])))
            elif kind == "R":
                yield self._profile()
            elif kind == "J":
                raise JumpedTo(int(words[0], 16))
            elif kind == "T":
                raise SecondThread
            elif kind == "X":
                self.has_ended = True
                self.begun = int(words[0])

    def _profile(self) -> Profile:
        numbers = sorted({number for edge in self._edges for number in edge[:2] if number != ENTRY}, key=self._place)
        for block in (self._blocks[number] for number in numbers):
            if self._image_end is not None and block.instruction_set == "arm" and block.address >= self._image_end:
                raise UnknownCode(block.address)
        position = {number: index for index, number in enumerate(numbers)} | {ENTRY: ENTRY}
        edges = sorted((position[before], position[after], times) for before, after, times in self._edges)
        profile = Profile(
            blocks=tuple(self._blocks[number] for number in numbers),
            edges=tuple(Edge(*edge) for edge in edges),
            stack_bytes=self._stack_bytes,
            caches=tuple(self._caches),
            behind=None if self._behind is None else position[self._behind],
        )
        self._edges, self._caches, self._stack_bytes, self._behind = [], [], 0, None
        return profile

    def _place(self, number: int) -> tuple[int, int]:
        block = self._blocks[number]
        return block.address, len(block.code)
