"""What each Thumb instruction of a Cortex-M core does to bits (Armv6-M Architecture Reference Manual, DDI 0419, chapter
A6; Armv7-M Architecture Reference Manual, DDI 0403, chapter A7).

`step` executes one instruction. What it changes: thumb_cpu.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada.formulas.graph import FALSE, TRUE
from bancada.formulas.word import add, constant_bits, product
from bancada.prove.errors import CannotProve, SecretTime
from bancada.prove.thumb_cpu import LR, PC, SP, WORD_BITS, C, Cpu, N, V, Word, Z, word_bits, word_of
from bancada.prove.thumb_decode import CONDITIONS, Address, Instruction, Operand, Register
from bancada.prove.thumb_memory import LOADS, STORES, execute_double, execute_memory, execute_multiple
from bancada.prove.thumb_operands import operand_of, read, write
from bancada.prove.thumb_words import (
    MASK,
    complement,
    extended,
    logic,
    shifted,
    sum_of,
    truncated_product,
    zero_flag,
)

_LOGIC = frozenset("and bic eor orn orr".split())
_TESTS = frozenset("tst teq".split())
_SHIFTS = frozenset("asr lsl lsr ror rrx".split())
_SUMS = frozenset("adc add cmn cmp neg rsb sbc sub".split())
_EXTENDS = {"uxtb": (8, False), "uxth": (16, False), "sxtb": (8, True), "sxth": (16, True)}
_EXTENDS_AND_ADDS = {"uxtab": (8, False), "uxtah": (16, False), "sxtab": (8, True), "sxtah": (16, True)}
_REVERSES = frozenset("rev rev16 revsh rbit".split())
_FIELDS = frozenset("ubfx sbfx bfi bfc".split())
# Of halves of words; of the sums and differences the GE flags are not followed, which nothing here reads.
_PACKS = frozenset("pkhbt pkhtb".split())
_HALVES = {"uadd16": FALSE, "usub16": TRUE}
_HALF_BITS = WORD_BITS // 2
_LONG = frozenset("umull umlal umaal smull smlal".split())
# One cycle, registers and flags only: what may be executed or not as a secret says, with the same time.
_PLAIN = (
    _LOGIC | _TESTS | _SHIFTS | _SUMS | _REVERSES | _FIELDS | _EXTENDS.keys() | {"mov", "mvn", "movw", "movt", "nop"}
)


def step(cpu: Cpu) -> None:
    """Executes the instruction at the program counter.

    Raises SecretTime where the way through the program, an address or the time depends on an input; CannotProve where
    the instruction does what is not followed here, or faults.
    """
    instruction = cpu.instruction(cpu.pc)
    if (
        instruction.size == 4
        and not cpu.has_thumb2
        and instruction.name not in ("bl", "dmb", "dsb", "isb", "mrs", "msr")
    ):
        raise CannotProve(f"'{instruction.text}' at {cpu.where()} is no instruction of Armv6-M")
    cpu.instructions += 1
    cpu.trace.append(cpu.pc)
    in_block = bool(cpu.conditions)
    condition = cpu.conditions.pop(0) if cpu.conditions else ""
    if in_block and instruction.size == 2 and instruction.name not in ("cmp", "cmn", "tst"):
        sets_flags = False  # DDI 0403, A7.7: "outside IT block"
    else:
        sets_flags = instruction.sets_flags
    if condition and condition != "al":
        holds = cpu.holds(condition)
        if holds > TRUE:
            _chosen(cpu, instruction, sets_flags, holds)
            cpu.pc = cpu.next_pc
            return
        if not holds:
            cpu.pc += instruction.size
            return
    _execute(cpu, instruction, sets_flags)
    cpu.pc = cpu.next_pc


def execute(cpu: Cpu, instruction: Instruction) -> None:
    """Executes an instruction without a condition, or a branch, which is at the program counter; `next_pc` is what
    comes after it."""
    _execute(cpu, instruction, instruction.sets_flags)


def _chosen(cpu: Cpu, instruction: Instruction, sets_flags: bool, holds: int) -> None:
    if instruction.name not in _PLAIN or _writes_sp_or_pc(instruction):
        raise SecretTime(f"whether '{instruction.text}' at {cpu.where()} is executed depends on a secret")
    registers, flags = list(cpu.registers), [cpu.flag(at) for at in range(4)]
    _execute(cpu, instruction, sets_flags)
    graph = cpu.graph
    for at, before in enumerate(registers):
        after = cpu.registers[at]
        if after is not before:
            pairs = zip(word_bits(after), word_bits(before), strict=True)
            cpu.registers[at] = word_of([graph.choice(holds, new, old) for new, old in pairs])
    cpu.flags = [graph.choice(holds, cpu.flag(at), flags[at]) for at in range(4)]


def _writes_sp_or_pc(instruction: Instruction) -> bool:
    first = instruction.operands[0] if instruction.operands else None
    return isinstance(first, Register) and first.number in (SP, PC)


def _is_unpredictable(instruction: Instruction) -> bool:
    """What chapter A7 of DDI 0403 says of the registers of an instruction of 32 bits, as far as it is followed here."""
    name = instruction.name
    numbers = [each.number for each in instruction.operands if isinstance(each, Register)]
    last = instruction.operands[-1] if instruction.operands else None
    if name in ("ldm", "ldmdb", "stm", "stmdb"):
        return SP in numbers[1:] or instruction.writes_back and numbers[0] in numbers[1:] or len(numbers) < 3
    if name in ("push", "pop"):
        return SP in numbers
    if name in _LONG:
        return numbers[0] == numbers[1]
    if name in _FIELDS:
        first, width = (each for each in instruction.operands if isinstance(each, int))
        return first + width > WORD_BITS
    if isinstance(last, Address) and instruction.writes_back and last.base in numbers:
        return True
    return name == "ldrd" and numbers[0] == numbers[1]


def _execute(cpu: Cpu, instruction: Instruction, sets_flags: bool) -> None:
    name, operands = instruction.name, instruction.operands
    cpu.next_pc = cpu.pc + instruction.size
    if instruction.size == 4 and _is_unpredictable(instruction):
        raise CannotProve(f"'{instruction.text}' at {cpu.where()} is unpredictable: its registers do not go together")
    if name in _LOGIC or name in _TESTS:
        _execute_logic(cpu, name, operands, sets_flags)
    elif name in _SUMS:
        _execute_sum(cpu, name, operands, sets_flags)
    elif name in ("mov", "mvn", "movw", "movt"):
        _execute_move(cpu, name, operands, sets_flags)
    elif name in _SHIFTS:
        _execute_shift(cpu, instruction, sets_flags)
    elif name in LOADS or name in STORES:
        execute_memory(cpu, instruction)
    elif name in ("ldrd", "strd"):
        execute_double(cpu, instruction)
    elif name in ("ldm", "ldmdb", "stm", "stmdb", "push", "pop"):
        execute_multiple(cpu, instruction)
    elif name in _EXTENDS or name in _REVERSES or name in _FIELDS:
        _execute_bits(cpu, name, operands)
    elif name in ("udiv", "sdiv"):
        _execute_quotient(cpu, instruction)
    elif name in _EXTENDS_AND_ADDS:
        destination, first, second = _two(operands)
        added, _ = operand_of(cpu, second)
        total, _, _ = sum_of(cpu.graph, operand_of(cpu, first)[0], extended(added, *_EXTENDS_AND_ADDS[name]), FALSE)
        write(cpu, destination, total)
    elif name == "clz":
        destination, _, source = _two(operands)
        write(cpu, destination, _leading_zeros(cpu, operand_of(cpu, source)[0]))
    elif name in _PACKS or name in _HALVES:
        _execute_halves(cpu, name, operands)
    elif name in ("mul", "mla", "mls") or name in _LONG:
        _execute_product(cpu, name, operands, sets_flags)
    elif name == "adr":
        register, offset = operands
        assert isinstance(register, Register)
        assert isinstance(offset, int)
        write(cpu, register.number, (cpu.pc + cpu.pc_ahead & ~3) + offset)
    elif name == "it":
        first = CONDITIONS.index(instruction.condition) if instruction.condition != "al" else -1
        letters = ("t" + instruction.pattern) if first >= 0 else "t" * (1 + len(instruction.pattern))
        cpu.conditions = [CONDITIONS[first ^ (each == "e")] if first >= 0 else "al" for each in letters]
    elif name != "nop":
        _execute_branch(cpu, instruction)


def _set_result_flags(cpu: Cpu, result: Word) -> None:
    cpu.flags[N] = result >> 31 if isinstance(result, int) else result[31]
    cpu.flags[Z] = zero_flag(cpu.graph, result)


def _two(operands: Sequence[Operand]) -> tuple[int, Operand, Operand]:
    """Destination, first and second operand; with two operands, the destination is the first."""
    destination = operands[0]
    assert isinstance(destination, Register)
    if len(operands) == 2:
        return destination.number, destination, operands[1]
    return destination.number, operands[1], operands[2]


def _execute_logic(cpu: Cpu, name: str, operands: Sequence[Operand], sets_flags: bool) -> None:
    destination, first, second = _two(operands)
    one, _ = operand_of(cpu, first)
    other, carry = operand_of(cpu, second)
    result = logic(cpu.graph, name, one, other)
    if sets_flags:
        _set_result_flags(cpu, result)
        cpu.flags[C] = carry
    if name not in _TESTS:
        write(cpu, destination, result)


def _execute_sum(cpu: Cpu, name: str, operands: Sequence[Operand], sets_flags: bool) -> None:
    if name == "neg":
        operands, name = (*operands, 0), "rsb"
    destination, first, second = _two(operands)
    one, _ = operand_of(cpu, first)
    other, _ = operand_of(cpu, second)
    if isinstance(first, Register) and first.number == PC and isinstance(second, int):
        one = cpu.pc + cpu.pc_ahead & ~3  # ADR in another form, DDI 0403, A7.7.7
    if name == "rsb":
        one, other = other, one
    carry = cpu.flag(C) if name in ("adc", "sbc") else int(name not in ("add", "cmn"))
    if name not in ("add", "adc", "cmn"):
        other = complement(other)
    result, carried, overflow = sum_of(cpu.graph, one, other, carry)
    if sets_flags:
        _set_result_flags(cpu, result)
        cpu.flags[C], cpu.flags[V] = carried, overflow
    if name not in ("cmp", "cmn"):
        write(cpu, destination, result)


def _execute_move(cpu: Cpu, name: str, operands: Sequence[Operand], sets_flags: bool) -> None:
    destination, source = operands
    assert isinstance(destination, Register)
    if name == "movt":
        assert isinstance(source, int)
        before = word_bits(cpu.registers[destination.number])
        write(cpu, destination.number, word_of(before[:16] + constant_bits(source, 16)))
        return
    value, carry = operand_of(cpu, source)
    if name == "mvn":
        value = complement(value)
    if sets_flags:
        _set_result_flags(cpu, value)
        cpu.flags[C] = carry
    write(cpu, destination.number, value)


def _execute_shift(cpu: Cpu, instruction: Instruction, sets_flags: bool) -> None:
    name, operands = instruction.name, instruction.operands
    if name == "rrx":
        operands = (*operands, 1)
    destination, first, by = _two(operands)
    word, _ = operand_of(cpu, first)
    if isinstance(by, Register):
        bits = word_bits(read(cpu, by.number))[:8]
        if any(bit > TRUE for bit in bits):
            raise CannotProve(f"'{instruction.text}' at {cpu.where()} shifts by an amount that depends on an input")
        amount = sum(bit << at for at, bit in enumerate(bits))
    else:
        assert isinstance(by, int)
        amount = by
    result, carry = shifted(cpu.graph, word, name, amount, cpu.flags[C])
    if sets_flags:
        _set_result_flags(cpu, result)
        cpu.flags[C] = carry
    write(cpu, destination, result)


def _execute_bits(cpu: Cpu, name: str, operands: Sequence[Operand]) -> None:
    destination = operands[0]
    assert isinstance(destination, Register)
    if name == "bfc":
        first, width = operands[1:]
        assert isinstance(first, int)
        assert isinstance(width, int)
        kept = word_bits(cpu.registers[destination.number])
        write(cpu, destination.number, word_of(kept[:first] + (FALSE,) * width + kept[first + width :]))
        return
    value, _ = operand_of(cpu, operands[1])
    bits = word_bits(value)
    if name in _EXTENDS:
        result = extended(value, *_EXTENDS[name])
    elif name in _FIELDS:
        first, width = operands[2:]
        assert isinstance(first, int)
        assert isinstance(width, int)
        if name == "bfi":
            kept = word_bits(cpu.registers[destination.number])
            result = word_of(kept[:first] + bits[:width] + kept[first + width :])
        else:
            result = extended(word_of(bits[first:] + (FALSE,) * first), width, name == "sbfx")
    elif name == "rbit":
        result = word_of(bits[::-1])
    else:
        parts = [bits[at : at + 8] for at in range(0, WORD_BITS, 8)]
        order = {"rev": (3, 2, 1, 0), "rev16": (1, 0, 3, 2), "revsh": (1, 0, 3, 2)}[name]
        result = word_of([bit for at in order for bit in parts[at]])
        if name == "revsh":
            result = extended(result, 16, True)
    write(cpu, destination.number, result)


def _leading_zeros(cpu: Cpu, word: Word) -> Word:
    found = constant_bits(WORD_BITS, WORD_BITS)
    for at, bit in enumerate(word_bits(word)):
        above = constant_bits(WORD_BITS - 1 - at, WORD_BITS)
        found = tuple(cpu.graph.choice(bit, one, other) for one, other in zip(above, found, strict=True))
    return word_of(found)


def _execute_halves(cpu: Cpu, name: str, operands: Sequence[Operand]) -> None:
    destination, first, second = _two(operands)
    if not cpu.has_dsp:
        raise CannotProve(f"{name} at {cpu.where()} is no instruction of a core without DSP")
    one, other = (word_bits(operand_of(cpu, each)[0]) for each in (first, second))
    if name in _PACKS:
        lower, upper = (one, other) if name == "pkhbt" else (other, one)
        write(cpu, destination, word_of(lower[:_HALF_BITS] + upper[_HALF_BITS:]))
        return
    carry = _HALVES[name]
    result: list[int] = []
    for at in (0, _HALF_BITS):
        addend = tuple(bit ^ carry for bit in other[at : at + _HALF_BITS])
        result += add(cpu.graph, one[at : at + _HALF_BITS], addend, carry)[0]
    write(cpu, destination, word_of(result))


def _execute_product(cpu: Cpu, name: str, operands: Sequence[Operand], sets_flags: bool) -> None:
    numbers = [each.number for each in operands if isinstance(each, Register)]
    graph = cpu.graph
    if name in ("mul", "mla", "mls"):
        if name == "mul" and len(numbers) == 2:
            numbers.append(numbers[0])
        destination, first, second = numbers[:3]
        result = truncated_product(graph, read(cpu, first), read(cpu, second))
        if name != "mul":
            addend = read(cpu, numbers[3])
            result, _, _ = sum_of(graph, addend, result if name == "mla" else complement(result), int(name == "mls"))
        if sets_flags:
            _set_result_flags(cpu, result)
        write(cpu, destination, result)
        return
    low, high, first, second = numbers
    one, other = read(cpu, first), read(cpu, second)
    is_known = isinstance(one, int) and isinstance(other, int)
    if not is_known and not cpu.has_dsp:
        raise SecretTime(
            f"the product at {cpu.where()} takes a time that depends on a secret: 3 to 5 cycles on Armv7-M"
        )
    if name.startswith("s"):
        raise CannotProve(f"{name} at {cpu.where()} is not followed")
    total: tuple[int, ...]
    if is_known:
        assert isinstance(one, int)
        assert isinstance(other, int)
        total = constant_bits(one * other, 64)
    else:
        total = product(graph, word_bits(one), word_bits(other))
    if name in ("umlal", "umaal"):
        addends = (
            [word_bits(cpu.registers[low]) + word_bits(cpu.registers[high])]
            if name == "umlal"
            else [word_bits(cpu.registers[each]) + (FALSE,) * WORD_BITS for each in (low, high)]
        )
        for addend in addends:
            total, _ = add(graph, total, addend, FALSE)
    cpu.registers[low], cpu.registers[high] = word_of(total[:WORD_BITS]), word_of(total[WORD_BITS:])


def _execute_quotient(cpu: Cpu, instruction: Instruction) -> None:
    destination, first, second = _two(instruction.operands)
    one, other = operand_of(cpu, first)[0], operand_of(cpu, second)[0]
    if not isinstance(one, int) or not isinstance(other, int):
        raise SecretTime(f"'{instruction.text}' at {cpu.where()} takes a time that depends on a secret: 2 to 12 cycles")
    if instruction.name == "sdiv":
        one, other = one - (one >> 31 << 32), other - (other >> 31 << 32)
    # Rounded towards 0; by 0 it is 0 (DDI 0403, A7.7.127 and A7.7.195).
    quotient = abs(one) // abs(other) if other else 0
    write(cpu, destination, (quotient if (one < 0) == (other < 0) else -quotient) & MASK)


def _execute_branch(cpu: Cpu, instruction: Instruction) -> None:
    name, operands = instruction.name, instruction.operands
    following = cpu.next_pc
    if name in ("b", "bl"):
        [target] = operands
        assert isinstance(target, int)
        if instruction.condition and not _decides(cpu, instruction, cpu.holds(instruction.condition)):
            return
        if name == "bl":
            cpu.registers[LR] = following | 1
        cpu.next_pc = target
    elif name in ("bx", "blx") and isinstance(operands[0], Register):
        target_word = read(cpu, operands[0].number)
        if name == "blx":
            cpu.registers[LR] = following | 1
        cpu.jump(target_word)
    elif name in ("cbz", "cbnz"):
        register, target = operands
        assert isinstance(register, Register)
        assert isinstance(target, int)
        zero = zero_flag(cpu.graph, read(cpu, register.number))
        is_zero = zero if isinstance(zero, int) else zero()
        if _decides(cpu, instruction, is_zero ^ (name == "cbnz")):
            cpu.next_pc = target
    elif name in ("tbb", "tbh"):
        [table] = operands
        assert isinstance(table, Address)
        size = 1 if name == "tbb" else 2
        base = read(cpu, table.base)
        index, _ = shifted(cpu.graph, read(cpu, table.index), "lsl", size - 1, FALSE)
        place, _, _ = sum_of(cpu.graph, base, index, FALSE)
        distance = cpu.load(cpu.aligned(place, size), size)
        assert isinstance(distance, int)
        cpu.next_pc = following + 2 * distance
    else:
        raise CannotProve(f"'{instruction.text}' at {cpu.where()} is not followed")


def _decides(cpu: Cpu, instruction: Instruction, literal: int) -> int:
    if literal > TRUE:
        raise SecretTime(f"the branch '{instruction.text}' at {cpu.where()} depends on a secret")
    return literal
