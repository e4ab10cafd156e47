"""Measures a function of any ARM program in the engine `qemu`: no markers, no monitor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bancada.build.symbols import Symbols, symbols
from bancada.costing.cost import cost
from bancada.costing.decode import UnknownInstruction, decode
from bancada.costing.memory import Memory
from bancada.costing.profile import ENTRY, Edge, Profile
from bancada.costing.table import Table
from bancada.engines.qemu.extensions import missing_instruction
from bancada.engines.qemu.loading import loading
from bancada.engines.qemu.profiler import engine_version, profile_program
from bancada.model.errors import UserError
from bancada.model.measurement import Call, HotBlock, Measurement

# Blocks overlap where the program jumps into the middle of one; they are told apart by where they begin and how long
# they are.
_Place = tuple[int, int]


def _behind(profile: Profile) -> Profile:
    """The instruction behind the return, alone."""
    assert profile.behind is not None
    return Profile((profile.blocks[profile.behind],), (Edge(ENTRY, 0, 1),), stack_bytes=0)


def measure_function(
    elf: Path,
    function: str,
    first_call: int,
    calls: int,
    hottest: int,
    *,
    emulator: str,
    cpu: str | None,
    machine: str | None,
    table: Table,
    memory: Memory | None,
    arguments: Sequence[str],
    limit_s: float,
    missing: tuple[str, ...] = (),
    environment: Sequence[str] = (),
    compiler: str,
    stdin: Callable[[], int] | None = None,
) -> Measurement:
    """Runs the program until `calls` calls of the function are measured, from the `first_call`-th on.

    `compiler` is one for the target, which knows where the shared libraries of a Linux program are. Such a program
    reads on its standard input what `stdin` opens.

    UserError if the function is not there, the program ends or crashes before, or it executes an instruction that the
    core's table does not know.
    """
    place = int(function, 0) & ~1 if function[:1].isdigit() else function  # some tools print the Thumb bit
    profiles = profile_program(
        elf,
        function=place,
        first_call=first_call,
        calls=calls,
        qemu=emulator,
        cpu=cpu,
        machine=machine,
        arguments=arguments,
        stack=True,
        with_call=True,
        memory=memory,
        limit_s=limit_s,
        environment=environment,
        loading=loading(elf, compiler) if machine is None else None,
        stdin=stdin,
    )
    known = symbols(elf)
    measured: list[Call] = []
    times: dict[_Place, int] = {}
    cycles: dict[_Place, float] = {}
    examples: dict[_Place, tuple[Profile, int]] = {}
    for profile in profiles:
        unknown = missing_instruction(profile, missing)
        if unknown is not None:
            raise UserError(
                f"{elf.name} executes '{unknown.text}' at {unknown.address:#x} in {known.function_at(unknown.address)},"
                " which the device's processor was built without, though the emulated one has it: keep the program"
                " from using it (OpenSSL: --environment OPENSSL_armcap=1)."
            )
        try:
            costed = cost(profile, table, memory)
            behind = cost(_behind(profile), table)
        except UnknownInstruction as error:
            raise UserError(
                f"{elf.name} executes '{error.text}' at {error.address:#x} in {known.function_at(error.address)}, which"
                " the core's table does not know: add it to cores/, with its source."
            ) from error
        measured.append(
            Call(costed.cycles - behind.cycles, costed.instructions - behind.instructions, profile.stack_bytes)
        )
        for edge in profile.edges:
            if edge.after == profile.behind:
                continue
            block = profile.blocks[edge.after]
            name = (block.address, len(block.code))
            times[name] = times.get(name, 0) + edge.times
            examples[name] = (profile, edge.after)
        for number, (block, block_cycles) in enumerate(zip(profile.blocks, costed.by_block, strict=True)):
            if number == profile.behind:
                continue
            name = (block.address, len(block.code))
            cycles[name] = cycles.get(name, 0.0) + block_cycles
    costliest = sorted(times, key=lambda name: -cycles[name])[:hottest]
    blocks = tuple(_hot_block(known, *examples[name], times[name], cycles[name]) for name in costliest)
    return Measurement(tuple(measured), blocks, sum(cycles.values()), engine_version(emulator))


def _hot_block(known: Symbols, profile: Profile, place: int, times: int, cycles: float) -> HotBlock:
    block = profile.blocks[place]
    text = tuple(instruction.text for instruction in decode(block))
    return HotBlock(block.address, known.function_at(block.address), times, cycles, text)
