"""The engine `qemu`: QEMU with the profiler plugin of engines/qemu (docs/reference/engine-qemu.md).

`profile_program` profiles any ELF that `qemu-arm`, `qemu-aarch64` or `qemu-system-arm` runs:

    [profile] = profile_program(Path("aes"), function="aes_encrypt", cpu="cortex-a8")
    [profile] = profile_program(Path("aes"), begin="timing_begin", end="timing_end")
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bancada.build.symbols import Symbols, symbols
from bancada.costing.memory import Memory
from bancada.costing.profile import Profile
from bancada.engines.qemu.loading import Loading
from bancada.engines.qemu.plugin import JumpedTo, SecondThread, UnknownCode, emulator_version, source_digest
from bancada.engines.qemu.process import QemuProcess
from bancada.model.errors import UserError


def engine_version(qemu: str) -> str:
    """The emulator and the digest of the plugin's sources, as results record it."""
    return f"{emulator_version(qemu)}, profiler {source_digest()}"


def _address(found: Symbols, place: str | int) -> int:
    return found.address(place) if isinstance(place, str) else place


def _command(
    qemu: str,
    cpu: str | None,
    machine: str | None,
    elf: Path,
    arguments: Sequence[str],
    environment: Sequence[str],
    root: Path | None,
) -> list[str]:
    processor = [] if cpu is None else ["-cpu", cpu]
    if "system" in qemu:
        board = [
            "-machine",
            machine or "mps2-an386",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "stdio",
            "-semihosting",
        ]
        return [qemu, *processor, *board, "-kernel", str(elf)]
    variables = [word for variable in environment for word in ("-E", variable)]
    libraries = ["-L", str(root)] if root else []
    return [qemu, *processor, *libraries, *variables, str(elf), *arguments]


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
    environment: Sequence[str] = (),
    stack: bool = False,
    with_call: bool = False,
    memory: Memory | None = None,
    limit_s: float = 120.0,
    loading: Loading | None = None,
    stdin: Callable[[], int] | None = None,
) -> list[Profile]:
    """The profiles of `calls` regions of a program, one after the other, from the `first_call`-th on (counted from 1).

    Either `function` is given: a region is one call of it, from its first instruction to the return to its caller (its
    own recursion is inside). Or `begin` and `end`: a region is from before the instruction at `begin` to before the
    instruction at `end`. Each is a symbol or an address. The program is stopped when the last region is read.

    A Linux program is given `arguments` and the variables of `environment` ("NAME=VALUE") alone, and on its standard
    input what `stdin` opens for each run. `loading` says how it is loaded, where it can be loaded anywhere or has
    shared libraries; the addresses of its profiles are those of its file.

    `with_call` adds to the region of a function the call instruction in front, and behind it the return
    (Profile.behind).

    With `stack`, a profile says how deep the stack went below SP at the region's begin. The caches of `memory` are
    simulated from the program's start, and counted in each region.

    UserError if a symbol is not there, the program ends or crashes before, starts a thread, or `limit_s` have passed.
    """
    found = symbols(elf)
    start = function if function is not None else begin
    if start is None or (function is None) == (end is None):
        raise UserError("A profile needs either a function, or where to begin and where to end.")
    options = [f"begin={_address(found, start):#x}", f"skip={first_call - 1}"]
    if end is not None:
        options.append(f"end={_address(found, end):#x}")
    if with_call:
        options.append("call=1")
    if stack:
        options.append("stack=1")
    image_end = None
    if loading is not None and loading.code_begin is not None:
        options.append(f"code={loading.code_begin:#x}")
        image_end = loading.image_end
    command = _command(qemu, cpu, machine, elf, arguments, environment, loading.root if loading else None)
    run = partial(profile_regions, command, found, stdin=stdin, image_end=image_end)
    try:
        return run(options, memory, start, calls, first_call - 1, limit_s)
    except JumpedTo:
        return run([*options, "follow=1"], memory, start, calls, first_call - 1, limit_s)


def profile_regions(
    command: list[str],
    found: Symbols,
    options: list[str],
    memory: Memory | None,
    start: str | int,
    calls: int,
    skipped: int,
    limit_s: float,
    *,
    stdin: Callable[[], int] | None = None,
    image_end: int | None = None,
) -> list[Profile]:
    """`calls` regions of a program that runs to its end by itself; `options` are the plugin's. Errors as
    `profile_program`, JumpedTo."""
    deadline = time.monotonic() + limit_s
    name = found.path.name
    profiles: list[Profile] = []
    with (
        open(stdin() if stdin else os.devnull, "rb") as given,
        QemuProcess(command, found, options, memory=memory, stdin=given.fileno(), image_end=image_end) as process,
    ):
        while len(profiles) < calls:
            if not select.select([process.events], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise UserError(
                    f"{name} did not come to an end of {start} within {limit_s:g} s; it was in {process.place()}."
                )
            try:
                came, more = process.profiles(calls - len(profiles))
            except JumpedTo as jump:
                if "follow=1" not in options:
                    raise
                place = found.function_at(jump.address)
                raise UserError(
                    f"{name}: {start} is reached by a jump from {place}, and where that returns to is not known."
                ) from jump
            except SecondThread as error:
                raise UserError(
                    f"{name} started a second thread, and what threads do at the same time cannot be told apart:"
                    " measure a program with one thread."
                ) from error
            except UnknownCode as error:
                raise UserError(
                    f"{name}: {start} calls code of a shared library, whose instruction set nothing tells: link it"
                    " with -static."
                ) from error
            profiles += came
            if not more and not profiles and skipped == 0 and process.ending() == "ended" and not process.reader.begun:
                raise UserError(f"{name} ended and never reached {start}; it said: {process.said() or 'nothing'}.")
            if not more and len(profiles) < calls:
                raise UserError(
                    f"{name} {process.ending()} after {skipped + len(profiles)} of the regions at {start} were"
                    f" complete; it said: {process.said() or 'nothing'}."
                )
    return profiles
