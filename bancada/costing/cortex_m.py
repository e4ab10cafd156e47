"""Cycles of the Cortex-M cores: one instruction after the other, by the core's table
(docs/reference/cores-cortex-m.md).

These cores issue one instruction at a time, in order, and predict nothing. The time of an instruction depends on four
things: the instruction itself, the instruction executed right before it, the target of a branch, and the next
instructions in the code. An edge between two blocks shows the first three, and the blocks of a profile show the fourth.
So the cost of the edges is equal, to the cycle, to the cost of a step-by-step execution.
"""

from __future__ import annotations

import bancada.costing.cortex_m_classes as classes
from bancada.costing.cortex_m_table import CortexMTable, InstructionClass, Interaction
from bancada.costing.decode import Instruction, UnknownInstruction, decode
from bancada.costing.profile import ENTRY, Profile

# How many of the next instructions can be the run that makes the core wait for its fetches.
FOLLOWING = 3
_SINGLE_LOADS: frozenset[InstructionClass] = frozenset({"load", "load-literal"})
_AFTER_LOAD: dict[InstructionClass, Interaction] = {
    "load": "load-after-load",
    "load-literal": "load-after-load",
    "store-immediate": "store-immediate-after-load",
    "store-register": "store-register-after-load",
}


def edge_cycles(profile: Profile, table: CortexMTable) -> tuple[float, ...]:
    """For each edge of the profile, the cycles of one execution of its second block after its first.

    The refill of the pipeline after the first block belongs to the edge, because it depends on the target of the
    branch.
    """
    blocks = tuple(decode(block) for block in profile.blocks)
    code = {instruction.address: instruction for block in blocks for instruction in block}
    inside = tuple(
        sum(
            step_cycles(table, before, instruction, _behind(instruction, code))
            for before, instruction in zip(block, block[1:], strict=False)
        )
        for block in blocks
    )
    cycles: list[float] = []
    for edge in profile.edges:
        before = blocks[edge.before][-1] if edge.before != ENTRY else None
        first = blocks[edge.after][0]
        cycles.append(step_cycles(table, before, first, _behind(first, code)) + inside[edge.after])
    return tuple(cycles)


def step_cycles(
    table: CortexMTable, before: Instruction | None, instruction: Instruction, following: tuple[Instruction, ...] = ()
) -> float:
    """The cycles of one instruction. If `before`, which executed before it, branched to it, the refill of the pipeline
    is included.

    `following` are the next instructions in the code that are executed after it, at most FOLLOWING.
    """
    jumped = before is not None and instruction.address != before.address + before.size
    cycles = _alone(table, None if jumped else before, instruction)
    if before is not None and not jumped:
        cycles += _with_neighbour(table, before, instruction)
    if cycles > 1 and _is_misaligned_run(following):
        cycles += _interaction(table, "wide-run-misaligned")
    if jumped and before is not None:
        cycles += _refill(table, before, instruction)
    return cycles


def _behind(instruction: Instruction, code: dict[int, Instruction]) -> tuple[Instruction, ...]:
    """Up to FOLLOWING instructions that are executed after one: until the first that may branch."""
    found: list[Instruction] = []
    last = instruction
    while len(found) < FOLLOWING and not last.changes_pc:
        behind = code.get(last.address + last.size)
        if behind is None:
            break
        found.append(behind)
        last = behind
    return tuple(found)


def _is_misaligned_run(following: tuple[Instruction, ...]) -> bool:
    """Whether 32-bit instructions follow that all cross word boundaries: the buffer of fetched words holds half a word
    less than they need."""
    return len(following) == FOLLOWING and all(
        instruction.size == 4 and instruction.address % 4 for instruction in following
    )


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
    """The cycles to fill the pipeline from `target`, to which `before` branched."""
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
    """The cycles that the instruction executed right before it adds, or saves if negative."""
    kind = classes.classify(instruction)
    address = classes.address_registers(instruction)
    cycles = 0.0
    if any(name in address for name in classes.registers_from_data(before)):
        cycles += _interaction(table, "address-from-data")
    pipelined = _AFTER_LOAD.get(kind)
    if (
        pipelined is not None
        and classes.classify(before) in _SINGLE_LOADS
        and not any(name in address for name in classes.registers_loaded(before))
    ):
        cycles += _interaction(table, _pipelined(table, pipelined, before, instruction))
    if classes.loads(instruction) and classes.classify(before) == "store-immediate":
        cycles += _interaction(table, "load-after-store-immediate")
    result = classes.fp_result(before)
    if result is not None and result in classes.fp_sources(instruction):
        cycles += _interaction(table, "fp-result-used-next")
    return cycles


def _pipelined(table: CortexMTable, usual: Interaction, before: Instruction, instruction: Instruction) -> Interaction:
    """The interaction of a load or store with a load before it: the usual one, or that of addresses that are written
    back."""
    if usual != "load-after-load" or instruction.memory is None or not instruction.memory.writeback:
        return usual
    written_back = before.memory.base if before.memory is not None and before.memory.writeback else None
    if "writeback-load-after-same-base" in table.interaction and written_back == instruction.memory.base:
        return "writeback-load-after-same-base"
    return "writeback-load-after-load" if "writeback-load-after-load" in table.interaction else usual


def _interaction(table: CortexMTable, which: Interaction) -> float:
    number = table.interaction.get(which)
    return number.cycles if number is not None else 0.0
