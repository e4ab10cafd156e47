"""Checks whether a measured case fits its device: static RAM, context and stack against the device's RAM.

The linker does not know stacks, so a firmware that fits for `bancada.build.build` may still not run.
"""

from __future__ import annotations

from pathlib import Path

from bancada.build.build import MONITOR_STACK_BYTES
from bancada.build.elf import image_of
from bancada.catalogue.target import Target
from bancada.measure.images import ram_static_bytes
from bancada.measure.samples import Run
from bancada.model.build import Build
from bancada.monitor.monitor import Facts, StackOverflow
from bancada.plan.case import Case


def why_not_in_ram(case: Case, made: Build, run: Run) -> str | None:
    """Why the measured case does not fit into its target's RAM. None if it fits, or on a board, which does not report
    stacks.

    Static RAM is what the implementation adds to a program: the context, which the program keeps in static RAM or
    elsewhere, is not in it (docs/reference/metrics.md), nor are the caller's buffers. Their sum is the least that any
    program needs.
    """
    target = case.target
    stacks = [region.stack_bytes for region in run.regions[case] if region.stack_bytes is not None]
    if not stacks:
        return None
    stack, static, context = (
        max(stacks),
        ram_static_bytes(made, case.operation) or 0,
        run.context_bytes.get(case.operation),
    )
    figures = f"{static} B of static RAM, {_context_text(context)} and {stack} B of stack"
    over = static + (context or 0) + stack - target.ram_bytes
    if over > 0:
        return f"it needs {over} B more RAM than the {target.ram_bytes} B there are: {figures}"
    return _why_not_beside_the_monitor(target, made, stack, figures)


def _context_text(context: int | None) -> str:
    return "a context on the heap, which is not counted," if context is None else f"a context of {context} B"


def _why_not_beside_the_monitor(target: Target, made: Build, stack: int, figures: str) -> str | None:
    """Where nothing watches the stack (bancada.engines.simavr.session does) and it has no memory of its own
    ('ram_bytes' of the emulator), it may have reached into the firmware's buffers while it was measured."""
    if target.settings.stack_is_watched:
        return None
    assert made.elf_path is not None
    firmware = image_of(Path(made.elf_path)).ram_static_bytes
    over = firmware + stack + MONITOR_STACK_BYTES - target.ram_bytes
    if over <= 0:
        return None
    return (
        f"it cannot be measured: alone it takes {figures}, but beside the monitor, whose firmware has {firmware} B of"
        f" static RAM, {over} B more RAM than the {target.ram_bytes} B there are"
    )


def why_overflowed(target: Target, made: Build, facts: Facts | None, overflow: StackOverflow) -> str:
    """The same of a firmware whose stack was seen to reach its static RAM: how deep it would have gone is not known
    then."""
    assert made.elf_path is not None
    static = image_of(Path(made.elf_path)).ram_static_bytes
    context = (
        f", the context of {max(facts.encrypt_context_bytes, facts.decrypt_context_bytes)} B among them,"
        if facts is not None
        else ""
    )
    return (
        f"the firmware with the monitor has {static} B of static RAM{context} and the {target.ram_bytes - static} B"
        f" that are left of {target.ram_bytes} B are too few for the stack, which reached static RAM in"
        f" {overflow.place}"
    )
