"""Measures a function of any program on any simulated target: cycles, instructions, stack, the blocks that cost most."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection
from elftools.elf.segments import InterpSegment

from bancada import catalogue
from bancada.catalogue import Core, Target, named
from bancada.engines import qemu_function, simavr_function
from bancada.engines.qemu_session import memory_as_linked
from bancada.errors import UserError
from bancada.measurement import Measurement
from bancada.symbols import symbols

# What an ELF's header calls the machine of each core, and what a person does.
_MACHINES = {"EM_AVR": "AVR", "EM_ARM": "32-bit Arm", "EM_AARCH64": "64-bit Arm"}


@dataclass(frozen=True)
class Request:
    """What to measure: `calls` calls of a function (name or address), from the `first_call`-th on, counted from 1.

    `arguments` and `environment` ("NAME=VALUE") are the program's, where it is a Linux program; it is given up after `limit_s`, or `limit_cycles` on an AVR.
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
    environment: tuple[str, ...] = ()


def _check(elf: Path, target: Target, core: Core, own_memory: bool) -> None:
    """UserError if the program is for another processor, or not where the emulated device has its own memory."""
    wanted = {"aarch64": "EM_AARCH64", "arm": "EM_ARM", "thumb": "EM_ARM"}.get(core.architecture or "", "EM_AVR")
    try:
        with elf.open("rb") as file:
            program = ELFFile(file)
            machine = str(program["e_machine"])
            interpreter = next((segment.get_interp_name() for segment in program.iter_segments() if isinstance(segment, InterpSegment)), None)
            entry = program["e_entry"] & ~1
            is_application = _is_application(program)
    except OSError as error:
        raise UserError(f"{elf} cannot be read: {error.strerror}.") from error
    except ELFError as error:
        raise UserError(f"{elf} is not a program in ELF format: {error}.") from error
    if machine != wanted:
        what = _MACHINES.get(machine, f"another machine ({machine})")
        raise UserError(f"{elf.name} is for {what}, '{target.name}' is {_MACHINES[wanted]}: choose another --target.")
    if core.architecture == "thumb" and is_application:
        raise UserError(f"{elf.name} is compiled for a Cortex-A and '{target.name}' is a Cortex-M: choose another --target.")
    flash, ram = target.linked_flash_origin, target.ram_origin
    if own_memory and flash is not None and ram is not None:
        if not (flash <= entry < flash + target.flash_bytes or ram <= entry < ram + target.ram_bytes):
            raise UserError(
                f"{elf.name} begins at {entry:#x}, where '{target.name}' as it is emulated has no memory (its flash is at {flash:#x}): "
                "choose another --target, or another --machine of QEMU."
            )
    if interpreter is not None and not Path(interpreter).is_file():
        raise UserError(f"{elf.name} needs shared libraries, and {interpreter} is not on this machine: link it with -static.")


def _is_application(program: ELFFile) -> bool:
    """Whether a 32-bit Arm program says that it is for a Cortex-A (ELF for the Arm Architecture, "Build Attributes")."""
    section = program.get_section_by_name(".ARM.attributes")
    if not isinstance(section, ARMAttributesSection):
        return False
    attributes = (attribute for part in section.iter_subsections() for whole in part.iter_subsubsections() for attribute in whole.iter_attributes())
    return any(attribute.tag == "TAG_CPU_ARCH_PROFILE" and attribute.value == ord("A") for attribute in attributes)


def _check_function(elf: Path, function: str) -> None:
    if not function[:1].isdigit():
        symbols(elf).address(function)  # a mistyped name gets the nearest one
        return
    try:
        int(function, 0)
    except ValueError as error:
        raise UserError(f"'{function}' is neither the name of a function nor an address (0x...).") from error


def measure(request: Request) -> Measurement:
    """Runs the program on the target's engine until the calls are measured.

    UserError if the program is for another machine, the function is not there or not called often enough, the program
    crashes, or it executes an instruction that the core's table does not know.
    """
    target = named("target", catalogue.targets(), request.target)
    core = named("core", catalogue.cores(), target.core)
    _check(request.elf, target, core, own_memory=request.machine is None)
    _check_function(request.elf, request.function)
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
        memory=memory_as_linked(target), arguments=request.arguments, limit_s=request.limit_s,
        missing=target.emulator.missing_on_device, environment=request.environment,
    )  # fmt: skip
