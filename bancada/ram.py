"""Whether a case that was measured has room on its device: static RAM, context and stack against the RAM there is.

The linker knows nothing of stacks, so that what fits by `bancada.build` may still not run.
"""

from __future__ import annotations

from pathlib import Path

from bancada import catalogue
from bancada.build import MONITOR_STACK_BYTES
from bancada.catalogue import Target, named
from bancada.elf import image_of
from bancada.metrics import ram_static_bytes
from bancada.monitor import Facts, StackOverflow
from bancada.records import Build, Case, Run


def why_not_in_ram(case: Case, made: Build, run: Run) -> str | None:
    """Why the measured case does not fit into its target's RAM; None if it does, or on a board, which tells nothing of stacks.

    Static RAM is what the implementation adds to a program: the context, which the program keeps in static RAM or elsewhere, is not in
    it (docs/metrics.md), nor are the caller's buffers. Their sum is the least that any program needs.
    """
    target = named("target", catalogue.targets(), case.target)
    stacks = [region.stack_bytes for region in run.regions[case] if region.stack_bytes is not None]
    if not stacks:
        return None
    stack, static, context = max(stacks), ram_static_bytes(made, case.operation) or 0, run.context_bytes.get(case.operation)
    figures = f"{static} B of static RAM, {_context_text(context)} and {stack} B of stack"
    over = static + (context or 0) + stack - target.ram_bytes
    if over > 0:
        return f"it needs {over} B more RAM than the {target.ram_bytes} B there are: {figures}"
    return _why_not_beside_the_monitor(target, made, stack, figures)


def _context_text(context: int | None) -> str:
    return "a context on the heap, which is not counted," if context is None else f"a context of {context} B"


def _why_not_beside_the_monitor(target: Target, made: Build, stack: int, figures: str) -> str | None:
    """Where nothing watches the stack (bancada.engines.simavr does) and it has no memory of its own ('ram_bytes' of the emulator), it
    may have reached into the firmware's buffers while it was measured."""
    if target.emulator is None or target.emulator.machine is None or target.emulator.ram_bytes is not None:
        return None
    assert made.elf_path is not None
    firmware = image_of(Path(made.elf_path)).ram_static_bytes
    over = firmware + stack + MONITOR_STACK_BYTES - target.ram_bytes
    if over <= 0:
        return None
    return (
        f"it cannot be measured: alone it takes {figures}, but beside the monitor, whose firmware has {firmware} B of static RAM, "
        f"{over} B more RAM than the {target.ram_bytes} B there are"
    )


def why_overflowed(target_name: str, made: Build, facts: Facts | None, overflow: StackOverflow) -> str:
    """The same of a firmware whose stack was seen to reach its static RAM: how deep it would have gone is not known then."""
    target = named("target", catalogue.targets(), target_name)
    assert made.elf_path is not None
    static = image_of(Path(made.elf_path)).ram_static_bytes
    context = f", the context of {max(facts.encrypt_context_bytes, facts.decrypt_context_bytes)} B among them," if facts is not None else ""
    return (
        f"the firmware with the monitor has {static} B of static RAM{context} and the {target.ram_bytes - static} B that are left of "
        f"{target.ram_bytes} B are too few for the stack, which reached static RAM in {overflow.place}"
    )
