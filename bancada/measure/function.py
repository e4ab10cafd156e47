"""Measures a function of any program on any simulated target: cycles, instructions, stack, the blocks that cost
most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection

from bancada.build.symbols import Symbols, symbols
from bancada.catalogue.target import FunctionRequest, Target
from bancada.measure.demangle import demangled, plain_name
from bancada.model.errors import UserError
from bancada.model.measurement import Measurement

# How many names are offered for one that does not exist.
_NEAREST = 10

# The machine of each core: its name in an ELF header, and its name for people.
_MACHINES = {"EM_AVR": "AVR", "EM_ARM": "32-bit Arm", "EM_AARCH64": "64-bit Arm"}


def _check(elf: Path, target: Target, own_memory: bool) -> None:
    """UserError if the program is for another processor, or not where the emulated device has its own memory."""
    core = target.core
    wanted = {"aarch64": "EM_AARCH64", "arm": "EM_ARM", "thumb": "EM_ARM"}.get(core.architecture or "", "EM_AVR")
    try:
        with elf.open("rb") as file:
            program = ELFFile(file)
            machine = str(program["e_machine"])
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
        raise UserError(
            f"{elf.name} is compiled for a Cortex-A and '{target.name}' is a Cortex-M: choose another --target."
        )
    flash, ram = target.linked_flash_origin, target.ram_origin
    if own_memory and flash is not None and ram is not None:
        is_inside = flash <= entry < flash + target.flash_bytes or ram <= entry < ram + target.ram_bytes
        if not is_inside:
            raise UserError(
                f"{elf.name} begins at {entry:#x}, where '{target.name}' as it is emulated has no memory (its flash is"
                f" at {flash:#x}): choose another --target, or another --machine of QEMU."
            )


def _is_application(program: ELFFile) -> bool:
    """Whether a 32-bit Arm program says that it is for a Cortex-A (ELF for the Arm Architecture, "Build
    Attributes")."""
    section = program.get_section_by_name(".ARM.attributes")
    if not isinstance(section, ARMAttributesSection):
        return False
    attributes = (
        attribute
        for part in section.iter_subsections()
        for whole in part.iter_subsubsections()
        for attribute in whole.iter_attributes()
    )
    return any(attribute.tag == "TAG_CPU_ARCH_PROFILE" and attribute.value == ord("A") for attribute in attributes)


def symbol_of(elf: Path, function: str) -> str:
    """The symbol of a function: by its symbol, by an address (0x...), or by the name that C++ has for it, with or
    without parameters.

    UserError with the nearest names if there is none, and with every candidate if the name is that of several.
    """
    if function[:1].isdigit():
        try:
            int(function, 0)
        except ValueError as error:
            raise UserError(f"'{function}' is neither the name of a function nor an address (0x...).") from error
        return function
    table = symbols(elf)
    if function in table.addresses:
        _refuse_several(elf, function, {function: function}, table)
        return function
    # Assembly may have labels alone.
    readable = demangled([one.name for one in table.functions] or list(table.addresses))
    found = {symbol: name for symbol, name in readable.items() if _is_called(function, name)}
    if not found:
        raise UserError(_no_function(elf, function, readable))
    _refuse_several(elf, function, found, table)
    return next(iter(found))


def _is_called(function: str, name: str) -> bool:
    """Whether a person may call the function of this demangled name so: with or without parameters, what the compiler
    made of it, and the type that a template returns."""
    plain = plain_name(name)
    is_template = plain.endswith(f" {function}") and "operator" not in plain
    return is_template or function in (name, name.partition(" [clone")[0], plain)


def _refuse_several(elf: Path, function: str, found: Mapping[str, str], table: Symbols) -> None:
    """UserError if these symbols, each with its name for people, are of several functions: two files may have a static
    function of the same name each."""
    places = {(one.address, found[one.name]) for one in table.functions if one.name in found}
    if len({address for address, _ in places}) > 1:
        names = ", ".join(f"'{name}' at {address:#x}" for address, name in sorted(places, key=lambda one: one[::-1]))
        raise UserError(
            f"'{function}' names several functions of {elf.name}: {names}; give the parameters too, or the address."
        )


def _no_function(elf: Path, function: str, readable: dict[str, str]) -> str:
    """The sentence for a name that the program does not have, with the names that look most like it."""
    if not readable:
        return f"{elf.name} has no symbols: give the address of the function (0x...)."
    plain = {plain_name(name): name for name in sorted(readable.values(), reverse=True)}
    close = get_close_matches(function, plain, n=_NEAREST, cutoff=0.0)
    return f"There is no function '{function}' in {elf.name}; nearest: {', '.join(plain[name] for name in close)}."


def measure(target: Target, request: FunctionRequest) -> Measurement:
    """Runs the program on the target's engine until the calls are measured.

    UserError if the program is for another machine, the function is not there or not called often enough, the program
    crashes, or it executes an instruction that the core's table does not know.
    """
    _check(request.elf, target, own_memory=request.machine is None)
    symbol = symbol_of(request.elf, request.function)
    return target.engine.measure_function(target, replace(request, function=symbol))
