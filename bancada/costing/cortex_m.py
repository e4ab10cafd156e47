"""Cycles of the Cortex-M cores: one instruction after the other, from the table of the core (docs/cores-cortex-m.md).

These cores issue one instruction at a time, in order, and predict nothing, so that an instruction's time depends on itself, on the
instruction executed right before it, and on where a change of the program counter leads. An edge between two blocks holds all
three: costing edges gives to the cycle what stepping through the program gives.
"""

from __future__ import annotations

from bancada.costing import cortex_m_classes as classes
from bancada.costing.cortex_m_table import CortexMTable, InstructionClass, Interaction
from bancada.costing.decode import Instruction, UnknownInstruction, decode
from bancada.costing.profile import ENTRY, Profile

_SINGLE_LOADS: frozenset[InstructionClass] = frozenset({"load", "load-literal"})
_AFTER_LOAD: dict[InstructionClass, Interaction] = {
    "load": "load-after-load",
    "load-literal": "load-after-load",
    "store-immediate": "store-immediate-after-load",
    "store-register": "store-register-after-load",
}


def edge_cycles(profile: Profile, table: CortexMTable) -> tuple[float, ...]:
    """For each edge of the profile, the cycles of one execution of its second block after its first.

    The refill of the pipeline that ends the first block belongs to the edge, since it depends on where the branch leads.
    """
    blocks = tuple(decode(block) for block in profile.blocks)
    inside = tuple(
        sum(step_cycles(table, before, instruction) for before, instruction in zip(block, block[1:], strict=False))
        for block in blocks
    )
    cycles: list[float] = []
    for edge in profile.edges:
        before = blocks[edge.before][-1] if edge.before != ENTRY else None
        cycles.append(step_cycles(table, before, blocks[edge.after][0]) + inside[edge.after])
    return tuple(cycles)


def step_cycles(table: CortexMTable, before: Instruction | None, instruction: Instruction) -> float:
    """The cycles of one instruction, with those of filling the pipeline again if `before`, executed before it, led to it by a branch."""
    jumped = before is not None and instruction.address != before.address + before.size
    cycles = _alone(table, None if jumped else before, instruction)
    if before is None:
        return cycles
    if jumped:
        return cycles + _refill(table, before, instruction)
    return cycles + _with_neighbour(table, before, instruction)


def _number(table: CortexMTable, kind: InstructionClass, instruction: Instruction) -> float:
    number = table.instruction.get(kind)
    if number is None:
        raise UnknownInstruction(instruction.mnemonic, instruction.text, instruction.address)
    return number.cycles


def _alone(table: CortexMTable, before: Instruction | None, instruction: Instruction) -> float:
    kind = classes.classify(instruction)
    if kind == "if-then" and before is not None and before.size == 2:
        kind = "if-then-folded"
    cycles = _number(table, kind, instruction)
    if kind in ("multiple", "fp-multiple"):
        cycles += classes.words_moved(instruction) * _number(table, "multiple-register", instruction)
    return cycles


def _refill(table: CortexMTable, before: Instruction, target: Instruction) -> float:
    """What it takes to fill the pipeline from `target`, to which `before` branched."""
    if not before.changes_pc:
        # An interrupt or an exception: not the program's own time.
        return 0.0
    refill = table.refill.get(classes.refill_of(before))
    if refill is None:
        raise UnknownInstruction(before.mnemonic, before.text, before.address)
    cycles = refill.cycles
    if target.size == 4 and target.address % 4:
        cycles += _interaction(table, "wide-target-misaligned")
    return cycles


def _with_neighbour(table: CortexMTable, before: Instruction, instruction: Instruction) -> float:
    """What the instruction executed right before it adds to an instruction's own cycles, or saves."""
    kind = classes.classify(instruction)
    address = classes.address_registers(instruction)
    cycles = 0.0
    if any(name in address for name in classes.registers_from_data(before)):
        cycles += _interaction(table, "address-from-data")
    pipelined = _AFTER_LOAD.get(kind)
    if pipelined is not None and classes.classify(before) in _SINGLE_LOADS:
        if not any(name in address for name in classes.registers_loaded(before)):
            cycles += _interaction(table, pipelined)
    result = classes.fp_result(before)
    if result is not None and result in classes.fp_sources(instruction):
        cycles += _interaction(table, "fp-result-used-next")
    return cycles


def _interaction(table: CortexMTable, which: Interaction) -> float:
    number = table.interaction.get(which)
    return number.cycles if number is not None else 0.0
