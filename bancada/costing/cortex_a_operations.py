"""Instructions in the pipeline model of a Cortex-A core: the operands, units and results of each, with their times."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from bancada.costing.cortex_a_addresses import Access, Move, access_of, moves_of
from bancada.costing.cortex_a_classes import classes_to_look_up, instruction_class
from bancada.costing.cortex_a_table import InOrderTable, OutOfOrderTable, Role, Timing
from bancada.costing.decode import Instruction, UnknownInstruction, decode
from bancada.costing.profile import Block, InstructionSet

# Predicted: they do not wait for the operands of their condition. The table's `branches` has the cost of a
# misprediction.
_PREDICTED = frozenset(("branch", "call", "call-indirect", "return", "indirect"))

# Of four registers, the last is the addend.
_ADDEND_LAST = frozenset(["madd", "msub", "umaddl", "smaddl", "umsubl", "smsubl", "fmadd", "fmsub", "fnmadd", "fnmsub"])


@dataclass(frozen=True, slots=True)
class Source:
    """A register that is read: how many cycles before an ordinary operand, and whether as the addend of a
    multiplication.

    `place` is which of the written registers it is also, if it is a core register: an accumulator's low word 0, its
    high word 1.
    """

    unit: str
    early: float
    is_addend: bool
    place: int = 0


@dataclass(frozen=True, slots=True)
class Resource:
    """One of `units` is held for `cycles` from issue."""

    units: tuple[str, ...]
    cycles: int


@dataclass(frozen=True, slots=True)
class Operation:
    """One instruction. `results` are pairs of a register and the cycles from issue until it can be an ordinary operand.
    `base` is the register that an addressing mode updates. `access` is what it loads or stores, and `moves` what it
    does to the core registers, both only if the table has times from stores to loads."""

    timing: Timing
    cycles: int
    slots: int
    sources: tuple[Source, ...]
    results: tuple[tuple[str, float], ...]
    resources: tuple[Resource, ...]
    core_resources: tuple[Resource, ...]
    is_vector: bool
    base: str | None = None
    access: Access | None = None
    moves: tuple[Move, ...] = ()


class Operations:
    """The operations of blocks under one table. Each is computed once."""

    def __init__(self, table: InOrderTable | OutOfOrderTable) -> None:
        self._table = table
        self._follows_addresses = isinstance(table, InOrderTable) and bool(table.store_to_load)
        self._known: dict[Block, tuple[Operation, ...]] = {}

    def of(self, block: Block) -> tuple[Operation, ...]:
        """The block's operations. UnknownInstruction names the first that the table does not know."""
        if block not in self._known:
            self._known[block] = tuple(
                self._operation(instruction, block.instruction_set) for instruction in decode(block)
            )
        return self._known[block]

    def _operation(self, instruction: Instruction, instruction_set: InstructionSet) -> Operation:
        name = instruction_class(instruction, instruction_set)
        timing = self._timing(name, instruction)
        more_registers = max(0, _list_length(instruction, instruction_set) - timing.free_registers)
        extra = timing.per_register * more_registers
        loads_list = timing.per_register > 0
        # An addressing mode that updates its base takes one more integer operation (UAN 0015, 3.8 and 3.9).
        base = instruction.memory.base if instruction.memory is not None and instruction.memory.writeback else None
        results = []
        for number, unit in enumerate(instruction.writes):
            if unit == "pc":
                continue
            if unit == base:
                latency = timing.writeback
            elif loads_list:
                # A list is loaded in order, so its first registers are ready first.
                latency = timing.latency + timing.per_register * max(0, number + 1 - timing.free_registers)
            elif number == 1 and timing.second_latency is not None:
                latency = timing.second_latency
            else:
                latency = timing.latency
            results.append((unit, latency))
        return Operation(
            timing=timing,
            cycles=ceil(timing.cycles + extra),
            slots=ceil(timing.operations + timing.operations_per_register * more_registers) + (base is not None),
            sources=() if name in _PREDICTED else _sources(instruction, timing, name),
            results=tuple(results),
            resources=tuple(_resource(text, extra) for text in timing.uses),
            core_resources=tuple(_resource(text, extra if ":" in text else 0) for text in timing.core_uses),
            is_vector=name[:2] in ("v-", "f-"),
            base=base,
            access=access_of(instruction, instruction_set) if self._follows_addresses else None,
            moves=moves_of(instruction, instruction_set) if self._follows_addresses else (),
        )

    def _timing(self, name: str, instruction: Instruction) -> Timing:
        known = next((one for one in classes_to_look_up(name) if one in self._table.timing), None)
        if known is None:
            raise UnknownInstruction(
                instruction.mnemonic,
                instruction.text,
                instruction.address,
                f"the core's cost table has no timing for its class '{name}'",
            )
        return self._table.timing[known]


def _resource(text: str, extra: float) -> Resource:
    units, _, cycles = text.partition(":")
    return Resource(tuple(units.split("|")), ceil(float(cycles or 1) + extra))


def _list_length(instruction: Instruction, instruction_set: InstructionSet) -> int:
    """Registers of a load or store of a list; vector registers in halves of 64 bits."""
    length = 0
    for name in instruction.registers:
        if name[0] == "q":
            length += 2
        elif name[0] == "v" and name[1:].isdigit():
            length += 2 if instruction.data_type in ("16b", "8h", "4s", "2d", "") else 1
        else:
            length += 1
    return length


def _sources(instruction: Instruction, timing: Timing, name: str) -> tuple[Source, ...]:
    """Each register read, once, with the role that needs it earliest."""
    found: dict[str, Source] = {}
    memory, shift = instruction.memory, instruction.shift
    addends = _addends(instruction, name)
    last = _halves(instruction.registers[-1]) if "last" in timing.early and len(instruction.registers) > 2 else ()
    for unit in instruction.reads:
        if (
            name.startswith("v-narrow")
            and unit in instruction.writes
            and unit not in map(_unit, instruction.registers[1:])
        ):
            # XTN2 and similar instructions do not wait for the half that they do not write.
            continue
        roles: list[Role] = []
        if memory is not None and unit in (memory.base, memory.index):
            roles.append("address")
        if shift is not None and unit in (_core_unit(shift.register), shift.by):
            roles.append("shifted")
        if unit == "flags":
            roles.append("flags")
        if unit in addends:
            roles.append("addend")
        if unit in last:
            roles.append("last")
        if not roles:
            roles.append("data" if memory is not None else "operand")
        role = max(roles, key=lambda role: timing.early.get(role, 0.0))
        is_accumulator = role == "addend" and unit in instruction.writes and unit[0] not in "dv"
        found[unit] = Source(
            unit, timing.early.get(role, 0.0), role == "addend", instruction.writes.index(unit) if is_accumulator else 0
        )
    return tuple(found.values())


def _halves(name: str) -> tuple[str, ...]:
    """A vector register in Arm state as registers of 64 bits."""
    number = int(name[1:]) if name[1:].isdigit() else 0
    return (f"d{2 * number}", f"d{2 * number + 1}") if name[0] == "q" else (name,)


def _core_unit(name: str) -> str:
    return f"x{name[1:]}" if name[0] == "w" and name[1:].isdigit() else name


def _addends(instruction: Instruction, name: str) -> tuple[str, ...]:
    """The registers to which an instruction only adds: a multiply-accumulate, or another accumulation of the vector
    unit."""
    registers = instruction.registers
    is_sum = "accumulate" in name or ("multiply" in name and "add" in name)
    if not is_sum or not registers:
        return ()
    addends: tuple[str, ...]
    if instruction.mnemonic in _ADDEND_LAST or name in ("multiply-add", "multiply-add-64"):
        addends, others = (_unit(registers[-1]),), registers[1:-1]
    else:
        addends = tuple(unit for unit in instruction.writes if unit != "flags")
        others = registers[2:] if name in ("multiply-long-add", "multiply-double-add") else registers[1:]
    multiplied = {_unit(register) for register in others}
    return tuple(unit for unit in addends if unit not in multiplied)


def _unit(name: str) -> str:
    """The unit of a register of the core, or of a vector register in AArch64 state."""
    return f"v{name[1:]}" if name[0] in "vqdshb" and name[1:].isdigit() else _core_unit(name)
