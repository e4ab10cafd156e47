"""Measures a function of any program on any simulated target: cycles, instructions, stack, the blocks that cost most."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from bancada import catalogue
from bancada.catalogue import Core, Target, named
from bancada.engines import qemu_function, simavr_function
from bancada.errors import UserError
from bancada.measurement import Measurement
from bancada.symbols import symbols

# What an ELF's header calls the machine of each core, and what a person does.
_MACHINES = {"EM_AVR": "AVR", "EM_ARM": "32-bit Arm", "EM_AARCH64": "64-bit Arm"}


@dataclass(frozen=True)
class Request:
    """What to measure: `calls` calls of a function (name or address), from the `first_call`-th on, counted from 1.

    `arguments` are the program's, where it is a Linux program; it is given up after `limit_s`, or `limit_cycles` on an AVR.
    `machine` is QEMU's name of a board, for bare firmware that is linked for another memory than the target's own emulated one.
    """

    elf: Path
    target: str
    function: str
    first_call: int = 1
    calls: int = 1
    hottest: int = 5
    arguments: tuple[str, ...] = ()
    limit_s: float = 120.0
    limit_cycles: int = 2_000_000_000
    machine: str | None = None


def _check(elf: Path, target: Target, core: Core) -> None:
    wanted = {"aarch64": "EM_AARCH64", "arm": "EM_ARM", "thumb": "EM_ARM"}.get(core.architecture or "", "EM_AVR")
    try:
        with elf.open("rb") as file:
            machine = str(ELFFile(file)["e_machine"])
    except OSError as error:
        raise UserError(f"{elf} cannot be read: {error.strerror}.") from error
    except ELFError as error:
        raise UserError(f"{elf} is not a program in ELF format: {error}.") from error
    if machine != wanted:
        what = _MACHINES.get(machine, f"another machine ({machine})")
        raise UserError(f"{elf.name} is for {what}, '{target.name}' is {_MACHINES[wanted]}: choose another --target.")


def measure(request: Request) -> Measurement:
    """Runs the program on the target's engine until the calls are measured.

    UserError if the program is for another machine, the function is not there or not called often enough, the program
    crashes, or it executes an instruction that the core's table does not know.
    """
    target = named("target", catalogue.targets(), request.target)
    core = named("core", catalogue.cores(), target.core)
    _check(request.elf, target, core)
    if not request.function[:1].isdigit():
        symbols(request.elf).address(request.function)  # a mistyped name gets the nearest one
    if target.emulator is None:
        if request.arguments:
            raise UserError(f"'{target.name}' is a bare device: its programs take no arguments.")
        return simavr_function.measure_function(
            target.mcu, target.clock_hz, request.elf, request.function, request.first_call, request.calls, request.hottest,
            request.limit_cycles,
        )  # fmt: skip
    if core.table is None:
        raise UserError(f"The core '{core.name}' of '{target.name}' has no cost table.")
    return qemu_function.measure_function(
        request.elf, request.function, request.first_call, request.calls, request.hottest,
        emulator=target.emulator.program, cpu=target.emulator.cpu, machine=request.machine or target.emulator.machine, table=core.table,
        memory=target.memory, arguments=request.arguments, limit_s=request.limit_s,
    )  # fmt: skip
