"""Compares a core's table with published figures of silicon: builds each program, profiles it, costs it and
compares."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from bancada.catalogue.core import SHORT_CALL_CYCLES, Core
from bancada.costing.cost import Cost, cost
from bancada.costing.memory import Memory
from bancada.costing.table import PublishedCycles, Table
from bancada.engines.qemu.profiler import engine_version
from bancada.model.errors import UserError
from bancada.validate.bands import DECIDING_KIND
from bancada.validate.device_memory import device_memory
from bancada.validate.kept_profiles import kept_profile
from bancada.validate.programs import build, find_call
from bancada.validate.silicon import silicon_figures
from bancada.validate.validation import Validation

_NO_WAITING = Memory(about="")


def validate(core: Core, figures: Iterable[PublishedCycles] | None = None) -> Iterator[Validation]:
    """One outcome for each of the figures, in their order; of all the core's published figures if none are given."""
    rows = published_figures(core) if figures is None else tuple(figures)
    if core.table is None or core.band_percent is None or not rows:
        raise UserError(
            f"The core '{core.name}' has no cost table with published figures, so that there is nothing to validate."
        )
    memories = {row: _memory(core, row) for row in rows}  # a mistake is found before anything takes long
    digest = hashlib.sha256((core.folder / f"{core.name}.toml").read_bytes()).hexdigest()
    for row in rows:
        program, call = find_call(row.program)
        found = _found(core.table, row, row.bytes, memories[row])
        cycles = found.cycles
        if row.is_increase:
            cycles = increase(found.cycles, _found(core.table, row, row.bytes // 2, memories[row]).cycles)
        cycles /= call.repeats
        yield Validation(
            core=core.name,
            set=row.set,
            program=row.program,
            device=row.device,
            unit=row.unit,
            published=row.figure,
            predicted=row.in_unit(cycles),
            error_percent=error_percent(row, cycles),
            band_percent=max(core.band_percent, (memories[row] or _NO_WAITING).band_percent or 0),
            source=row.source,
            note=row.note,
            instructions=found.instructions,
            engine_version=engine_version(program.emulator),
            table_sha256=digest,
            kind=_kind(row),
            call_cycles=row.expected_cycles,
            memory=row.memory or "",
        )


def published_figures(core: Core, *, from_git: bool = False) -> tuple[PublishedCycles, ...]:
    """The figures in the core's file, then those of cores/silicon; `from_git`: also those of programs that git
    fetches."""
    every = (*core.published, *silicon_figures(core.name, core.title.removeprefix("Arm ")))
    return tuple(row for row in every if from_git or not find_call(row.program)[0].is_from_git)


def deciding_figures(core: Core, *, from_git: bool = False, memory: str | None = None) -> int:
    """How many held-out figures decide the band of the core's results, or of its results behind a memory
    (bancada.validate.bands); `from_git` as of `published_figures`. Fewer than FEWEST_FIGURES decide nothing."""
    held_out = (
        row
        for row in published_figures(core, from_git=from_git)
        if row.set == "validation" and row.expected_cycles >= SHORT_CALL_CYCLES
    )
    if memory is not None:
        return sum(row.memory == memory for row in held_out)
    return sum(not row.memory and _kind(row) == DECIDING_KIND for row in held_out)


def _kind(row: PublishedCycles) -> str:
    program, call = find_call(row.program)
    return call.kind or program.kind


def _found(table: Table, row: PublishedCycles, size_bytes: int, memory: Memory | None) -> Cost:
    """What a call of that many bytes costs."""
    program, call = find_call(row.program)
    elf = build(program, call, size_bytes)
    return cost(kept_profile(elf, program.emulator, program.cpu, size_bytes, memory), table, memory)


def _memory(core: Core, row: PublishedCycles) -> Memory | None:
    try:
        return device_memory(row.memory) if row.memory is not None else None
    except UserError as error:
        raise UserError(f"{core.folder / core.name}.toml: the published figure of {row.program}: {error}") from error


def increase(cycles: float, cycles_of_half: float) -> float:
    """The cost of all words of a call if they were further words of a longer call: twice the cost that its second half
    added."""
    return 2 * (cycles - cycles_of_half)


def error_percent(row: PublishedCycles, cycles: float) -> float:
    """The difference from the published figure in per cent, positive where we predict more."""
    return 100 * (cycles / row.expected_cycles - 1)
