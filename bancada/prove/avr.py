"""What each AVR instruction does to bits (AVR Instruction Set Manual, DS40002198), and what it costs on an ATmega328P.

A byte is an integer if it is known, else eight literals of the graph. So a loop counter stays a number and a secret
becomes a formula. `Cpu` holds registers, flags and memory; `step` executes one instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bancada.formulas.graph import FALSE, TRUE, Graph
from bancada.formulas.word import add, constant_bits, product
from bancada.prove.avr_decode import Instruction, decode
from bancada.prove.errors import CannotProve, SecretTime

Byte = int | tuple[int, ...]

C, Z, N, V, S, H, T, I = range(8)
_SPL, _SPH, _SREG = 0x5D, 0x5E, 0x5F
_DATA_REGISTERS = 0x20  # an I/O address is this much lower than its address in data space
_FIRST_RAM = 0x100
_INDEX_BITS = 8


def bits_of(byte: Byte) -> tuple[int, ...]:
    return constant_bits(byte, 8) if isinstance(byte, int) else byte


def byte_of(bits: Sequence[int]) -> Byte:
    """A number again, if every bit is known."""
    if all(bit <= TRUE for bit in bits):
        return sum(bit << at for at, bit in enumerate(bits))
    return tuple(bits)


@dataclass
class Cpu:
    """State of the machine, and what happened to it."""

    graph: Graph
    flash: bytes
    registers: list[Byte]
    flags: list[int]
    pc: int
    """In words."""
    sp: int
    memory: dict[int, Byte] = field(default_factory=dict)
    cycles: int = 0
    spared: int = 0
    """So many fewer cycles the shortest way takes, if branches depend on public numbers."""
    instructions: int = 0
    lowest_sp: int = 0xFFFF
    read: set[int] = field(default_factory=set)
    """Addresses of RAM that were read before the function wrote them."""
    written: set[int] = field(default_factory=set)
    decoded: dict[int, Instruction] = field(default_factory=dict)

    def where(self) -> str:
        return f"0x{2 * self.pc:04x}"

    def instruction(self, pc: int) -> Instruction:
        found = self.decoded.get(pc)
        if found is None:
            at = 2 * pc
            if at + 2 > len(self.flash):
                raise CannotProve(f"execution leaves the program at 0x{at:04x}")
            opcode = int.from_bytes(self.flash[at : at + 2], "little")
            following = int.from_bytes(self.flash[at + 2 : at + 4], "little")
            made = decode(opcode, following)
            if made is None:
                raise CannotProve(f"no AVR instruction has the opcode 0x{opcode:04x}, which is at 0x{at:04x}")
            found = self.decoded[pc] = made
        return found

    # Memory.

    def load(self, address: int) -> Byte:
        if address >= _FIRST_RAM:
            if address not in self.memory:
                raise CannotProve(
                    f"the instruction at {self.where()} reads address 0x{address:04x}, which holds nothing known"
                )
            if address not in self.written:
                self.read.add(address)
            return self.memory[address]
        if address < _DATA_REGISTERS:
            return self.registers[address]
        if address == _SREG:
            return byte_of(self.flags)
        if address == _SPL:
            return self.sp & 0xFF
        if address == _SPH:
            return self.sp >> 8
        raise CannotProve(
            f"the instruction at {self.where()} reads the I/O register 0x{address:02x}: a value from outside"
        )

    def store(self, address: int, byte: Byte) -> None:
        if address >= _FIRST_RAM:
            self.written.add(address)
            self.memory[address] = byte
        elif address < _DATA_REGISTERS:
            self.registers[address] = byte
        elif address == _SREG:
            self.flags = list(bits_of(byte))
        elif address in (_SPL, _SPH):
            if not isinstance(byte, int):
                raise SecretTime(f"the instruction at {self.where()} makes the stack pointer depend on a secret")
            self.sp = self.sp & 0xFF00 | byte if address == _SPL else self.sp & 0xFF | byte << 8
            if address == _SPL:  # the low byte is written last
                self.lowest_sp = min(self.lowest_sp, self.sp)
        else:
            raise CannotProve(f"the instruction at {self.where()} writes the I/O register 0x{address:02x}")

    def push(self, byte: Byte) -> None:
        self.store(self.sp, byte)
        self.sp -= 1
        self.lowest_sp = min(self.lowest_sp, self.sp)

    def pop(self) -> Byte:
        self.sp += 1
        return self.load(self.sp)

    def pointer(self, register: int) -> tuple[Byte, Byte]:
        return self.registers[register], self.registers[register + 1]

    def select(self, low: Byte, high: Byte, of_flash: bool) -> Byte:
        """The byte at an address, some of whose bits may depend on inputs: then every byte that it can name is read."""

        def at(address: int) -> Byte:
            if not of_flash:
                return self.load(address)
            if address >= len(self.flash):
                raise CannotProve(
                    f"the instruction at {self.where()} reads flash beyond the program, at 0x{address:04x}"
                )
            return self.flash[address]

        if isinstance(low, int) and isinstance(high, int):
            return at(high << 8 | low)
        bits = bits_of(low) + bits_of(high)
        unknown = [place for place, bit in enumerate(bits) if bit > TRUE]
        graph = self.graph
        distinct = sorted({bits[place] & ~1 for place in unknown})
        # A table that begins anywhere is read at its address plus an index: the address as a function of the index.
        made = graph.tables(bits, _INDEX_BITS)
        if made is None and len(distinct) > 10:
            raise CannotProve(f"the instruction at {self.where()} may read any of 2^{len(distinct)} addresses")
        nodes, tables = made or graph.tables(bits, len(distinct)) or ([], [])
        distinct = [2 * node for node in nodes]
        rows: list[tuple[int, ...]] = []
        for value in range(1 << len(distinct)):
            address = sum((table >> value & 1) << place for place, table in enumerate(tables))
            rows.append(bits_of(at(address)))
        return byte_of([graph.lookup([row[place] for row in rows], distinct) for place in range(8)])


def _zero(graph: Graph, bits: Sequence[int]) -> int:
    """The literal that says that every bit is 0."""
    found = TRUE
    for bit in bits:
        found = graph.conjunction(found, bit ^ 1)
    return found


def _logic_flags(cpu: Cpu, result: Sequence[int]) -> None:
    cpu.flags[V] = FALSE
    cpu.flags[N] = cpu.flags[S] = result[7]
    cpu.flags[Z] = _zero(cpu.graph, result)


def _sum(cpu: Cpu, first: Byte, second: Byte, carry: int) -> tuple[int, ...]:
    """first + second + carry with the flags of ADD and ADC."""
    graph = cpu.graph
    one, other = bits_of(first), bits_of(second)
    result, carries = add(graph, one, other, carry)
    flags = cpu.flags
    flags[C] = carries[7]
    flags[H] = carries[3]
    flags[V] = graph.difference(carries[6], carries[7])
    flags[N] = result[7]
    flags[S] = graph.difference(flags[N], flags[V])
    flags[Z] = _zero(graph, result)
    return result


def _subtract(cpu: Cpu, first: Byte, second: Byte, borrow: int, keeps_zero: bool) -> tuple[int, ...]:
    """first - second - borrow with the flags of SUB, and of SBC where Z can only be cleared."""
    graph = cpu.graph
    one, other = bits_of(first), tuple(bit ^ 1 for bit in bits_of(second))
    result, carries = add(graph, one, other, borrow ^ 1)
    flags = cpu.flags
    flags[C] = carries[7] ^ 1
    flags[H] = carries[3] ^ 1
    flags[V] = graph.difference(carries[6], carries[7])
    flags[N] = result[7]
    flags[S] = graph.difference(flags[N], flags[V])
    zero = _zero(graph, result)
    flags[Z] = graph.conjunction(zero, flags[Z]) if keeps_zero else zero
    return result


def _multiply(cpu: Cpu, first: Byte, second: Byte, signed_first: bool, signed_second: bool, fractional: bool) -> None:
    graph = cpu.graph
    one, other = bits_of(first), bits_of(second)
    if not (signed_first or signed_second):
        total = product(graph, one, other)
    else:
        total = _signed_product(graph, one, other, signed_first, signed_second)
    cpu.flags[C] = total[15]
    if fractional:
        total = (FALSE, *total[:15])
    cpu.flags[Z] = _zero(graph, total)
    cpu.registers[0], cpu.registers[1] = byte_of(total[:8]), byte_of(total[8:])


def _signed_product(
    graph: Graph, one: tuple[int, ...], other: tuple[int, ...], signed_first: bool, signed_second: bool
) -> tuple[int, ...]:
    wide = one + ((one[7] if signed_first else FALSE),) * 8
    total: tuple[int, ...] = (FALSE,) * 16
    for place, bit in enumerate(other):
        row = (FALSE,) * place + tuple(graph.conjunction(bit, each) for each in wide[: 16 - place])
        if place == 7 and signed_second:
            total, _ = add(graph, total, tuple(each ^ 1 for each in row), TRUE)
        else:
            total, _ = add(graph, total, row, FALSE)
    return total


def _shift_flags(cpu: Cpu, result: Sequence[int], carry: int) -> None:
    graph, flags = cpu.graph, cpu.flags
    flags[C] = carry
    flags[N] = result[7]
    flags[Z] = _zero(graph, result)
    flags[V] = graph.difference(flags[N], flags[C])
    flags[S] = graph.difference(flags[N], flags[V])


def _word_flags(cpu: Cpu, before: int, result: Sequence[int], is_sum: bool) -> None:
    """ADIW and SBIW; `before` is the highest bit of the register pair before."""
    graph, flags = cpu.graph, cpu.flags
    if is_sum:
        flags[V] = graph.conjunction(before ^ 1, result[15])
        flags[C] = graph.conjunction(result[15] ^ 1, before)
    else:
        flags[V] = graph.conjunction(before, result[15] ^ 1)
        flags[C] = graph.conjunction(result[15], before ^ 1)
    flags[N] = result[15]
    flags[S] = graph.difference(flags[N], flags[V])
    flags[Z] = _zero(graph, result)


_CYCLES = {
    **dict.fromkeys(("ADIW", "SBIW", "MUL", "MULS", "MULSU", "FMUL", "FMULS", "FMULSU"), 2),
    **dict.fromkeys(("LD", "LDD", "LDS", "ST", "STD", "STS", "PUSH", "POP", "RJMP", "IJMP", "SBI", "CBI"), 2),
    **dict.fromkeys(("LPM", "LPM Z", "JMP", "RCALL", "ICALL"), 3),
    **dict.fromkeys(("CALL", "RET", "RETI"), 4),
}


def _skip(cpu: Cpu, condition: int) -> None:
    """Skips the next instruction where the condition holds."""
    following = cpu.instruction(cpu.pc)
    if condition <= TRUE:
        if condition:
            cpu.pc += following.words
            cpu.cycles += following.words
        return
    _conditional(cpu, condition, following)


def _conditional(cpu: Cpu, skipped: int, instruction: Instruction) -> None:
    """One instruction that is executed or skipped: with as many cycles both ways, it is a choice between two results.

    A skip of one word costs one cycle more than no skip, as does a branch that is taken; an instruction of one cycle
    makes that equal.
    """
    if instruction.name not in _PLAIN:
        raise SecretTime(
            f"the instruction at 0x{2 * (cpu.pc - 1):04x} decides by a secret whether {instruction.name} at"
            f" {cpu.where()} is executed: that takes another time, or touches memory"
        )
    registers, flags = list(cpu.registers), list(cpu.flags)
    step(cpu)
    graph = cpu.graph
    for at, before in enumerate(registers):
        after = cpu.registers[at]
        if after is not before:
            pairs = zip(bits_of(before), bits_of(after), strict=True)
            cpu.registers[at] = byte_of([graph.choice(skipped, old, new) for old, new in pairs])
    cpu.flags = [graph.choice(skipped, old, new) for old, new in zip(flags, cpu.flags, strict=True)]


# One cycle, registers and flags only.
_PLAIN = frozenset(
    "ADD ADC SUB SBC AND OR EOR CP CPC MOV CPI SUBI SBCI ANDI ORI LDI MOVW COM NEG SWAP INC DEC ASR LSR ROR"
    " BSET BCLR BST BLD NOP".split()
)


def _call(cpu: Cpu, target: int, after: int) -> None:
    cpu.push(after & 0xFF)
    cpu.push(after >> 8)
    cpu.pc = target


def _known_pointer(cpu: Cpu, instruction: Instruction) -> int:
    low, high = cpu.pointer(instruction.pointer)
    if isinstance(low, int) and isinstance(high, int):
        return high << 8 | low
    raise CannotProve(f"the instruction at 0x{2 * (cpu.pc - 1):04x} has an address that depends on an input")


def _step_pointer(cpu: Cpu, register: int, by: int) -> None:
    low, high = cpu.pointer(register)
    if isinstance(low, int) and isinstance(high, int):
        moved = (high << 8 | low) + by & 0xFFFF
        cpu.registers[register], cpu.registers[register + 1] = moved & 0xFF, moved >> 8
        return
    total, _ = add(cpu.graph, bits_of(low) + bits_of(high), constant_bits(by & 0xFFFF, 16), FALSE)
    cpu.registers[register], cpu.registers[register + 1] = byte_of(total[:8]), byte_of(total[8:])


def _load(cpu: Cpu, instruction: Instruction, of_flash: bool, destination: int) -> None:
    pointer = instruction.pointer or 30
    if instruction.step == "-":
        _step_pointer(cpu, pointer, -1)
    low, high = cpu.pointer(pointer)
    if instruction.value:
        total, _ = add(cpu.graph, bits_of(low) + bits_of(high), constant_bits(instruction.value, 16), FALSE)
        low, high = byte_of(total[:8]), byte_of(total[8:])
    cpu.registers[destination] = cpu.select(low, high, of_flash)
    if instruction.step == "+":
        _step_pointer(cpu, pointer, 1)


def _store(cpu: Cpu, instruction: Instruction) -> None:
    if instruction.step == "-":
        _step_pointer(cpu, instruction.pointer, -1)
    cpu.store(_known_pointer(cpu, instruction) + instruction.value, cpu.registers[instruction.destination])
    if instruction.step == "+":
        _step_pointer(cpu, instruction.pointer, 1)


def _return(cpu: Cpu) -> None:
    high, low = cpu.pop(), cpu.pop()
    if not isinstance(high, int) or not isinstance(low, int):
        raise SecretTime(f"the return at {cpu.where()} goes to an address that depends on an input")
    cpu.pc = high << 8 | low


def step(cpu: Cpu) -> None:
    """Executes the instruction at the program counter.

    Raises SecretTime where the way through the program, or its time, depends on an input; CannotProve where the
    instruction does what is not followed here.
    """
    instruction = cpu.instruction(cpu.pc)
    cpu.pc += instruction.words
    cpu.instructions += 1
    name = instruction.name
    cpu.cycles += _CYCLES.get(name, 1)
    registers, flags, graph = cpu.registers, cpu.flags, cpu.graph
    d = instruction.destination
    match name:
        case "ADD" | "ADC":
            carry = flags[C] if name == "ADC" else FALSE
            registers[d] = byte_of(_sum(cpu, registers[d], registers[instruction.source], carry))
        case "SUB" | "SUBI" | "SBC" | "SBCI" | "CP" | "CPI" | "CPC":
            other = instruction.value if name in ("SUBI", "SBCI", "CPI") else registers[instruction.source]
            with_borrow = name in ("SBC", "SBCI", "CPC")
            result = _subtract(cpu, registers[d], other, flags[C] if with_borrow else FALSE, with_borrow)
            if name[0] != "C":
                registers[d] = byte_of(result)
        case "AND" | "ANDI" | "OR" | "ORI" | "EOR":
            other = instruction.value if name in ("ANDI", "ORI") else registers[instruction.source]
            operation = {"A": graph.conjunction, "O": graph.disjunction, "E": graph.difference}[name[0]]
            result = tuple(map(operation, bits_of(registers[d]), bits_of(other)))
            _logic_flags(cpu, result)
            registers[d] = byte_of(result)
        case "MOV":
            registers[d] = registers[instruction.source]
        case "MOVW":
            registers[d], registers[d + 1] = registers[instruction.source], registers[instruction.source + 1]
        case "LDI":
            registers[d] = instruction.value
        case "COM":
            result = tuple(bit ^ 1 for bit in bits_of(registers[d]))
            _logic_flags(cpu, result)
            flags[C] = TRUE
            registers[d] = byte_of(result)
        case "NEG":
            registers[d] = byte_of(_subtract(cpu, 0, registers[d], FALSE, False))
        case "INC" | "DEC":
            before = bits_of(registers[d])
            result, carries = add(graph, before, constant_bits(1 if name == "INC" else 0xFF, 8), FALSE)
            flags[V] = graph.difference(carries[6], carries[7])
            flags[N] = result[7]
            flags[S] = graph.difference(flags[N], flags[V])
            flags[Z] = _zero(graph, result)
            registers[d] = byte_of(result)
        case "LSR" | "ROR" | "ASR":
            before = bits_of(registers[d])
            top = {"L": FALSE, "R": flags[C], "A": before[7]}[name[0]]
            result = (*before[1:], top)
            _shift_flags(cpu, result, before[0])
            registers[d] = byte_of(result)
        case "SWAP":
            before = bits_of(registers[d])
            registers[d] = byte_of(before[4:] + before[:4])
        case "ADIW" | "SBIW":
            pair = bits_of(registers[d]) + bits_of(registers[d + 1])
            by = instruction.value if name == "ADIW" else -instruction.value & 0xFFFF
            result, _ = add(graph, pair, constant_bits(by, 16), FALSE)
            _word_flags(cpu, pair[15], result, name == "ADIW")
            registers[d], registers[d + 1] = byte_of(result[:8]), byte_of(result[8:])
        case "MUL" | "FMUL":
            _multiply(cpu, registers[d], registers[instruction.source], False, False, name == "FMUL")
        case "MULS" | "FMULS":
            _multiply(cpu, registers[d], registers[instruction.source], True, True, name == "FMULS")
        case "MULSU" | "FMULSU":
            _multiply(cpu, registers[d], registers[instruction.source], True, False, name == "FMULSU")
        case "LD" | "LDD":
            _load(cpu, instruction, False, d)
        case "ST" | "STD":
            _store(cpu, instruction)
        case "LDS":
            registers[d] = cpu.load(instruction.value)
        case "STS":
            cpu.store(instruction.value, registers[d])
        case "LPM" | "LPM Z":
            _load(cpu, instruction, True, d)
        case "IN":
            registers[d] = cpu.load(instruction.value + _DATA_REGISTERS)
        case "OUT":
            cpu.store(instruction.value + _DATA_REGISTERS, registers[d])
        case "PUSH":
            cpu.push(registers[d])
        case "POP":
            registers[d] = cpu.pop()
        case "RJMP":
            cpu.pc += instruction.value
        case "JMP":
            cpu.pc = instruction.value
        case "RCALL":
            _call(cpu, cpu.pc + instruction.value, cpu.pc)
        case "CALL":
            _call(cpu, instruction.value, cpu.pc)
        case "IJMP" | "ICALL":
            low, high = cpu.pointer(30)
            if not isinstance(low, int) or not isinstance(high, int):
                raise SecretTime(f"the jump at 0x{2 * (cpu.pc - 1):04x} goes where a secret says")
            if name == "ICALL":
                _call(cpu, high << 8 | low, cpu.pc)
            else:
                cpu.pc = high << 8 | low
        case "RET":
            _return(cpu)
        case "CPSE":
            pairs = zip(bits_of(registers[d]), bits_of(registers[instruction.source]), strict=True)
            _skip(cpu, _zero(graph, [graph.difference(one, other) for one, other in pairs]))
        case "SBRC" | "SBRS":
            bit = bits_of(registers[d])[instruction.value]
            _skip(cpu, bit if name == "SBRS" else bit ^ 1)
        case "BRBS" | "BRBC":
            _branch(cpu, flags[d] if name == "BRBS" else flags[d] ^ 1, instruction.value)
        case "BSET":
            flags[d] = TRUE
        case "BCLR":
            flags[d] = FALSE
        case "BST":
            flags[T] = bits_of(registers[d])[instruction.value]
        case "BLD":
            before = bits_of(registers[d])
            registers[d] = byte_of((*before[: instruction.value], flags[T], *before[instruction.value + 1 :]))
        case "NOP":
            pass
        case _:
            raise CannotProve(
                f"{name} at 0x{2 * (cpu.pc - instruction.words):04x} is not followed: it belongs to the outside"
            )


def _branch(cpu: Cpu, condition: int, distance: int) -> None:
    if condition <= TRUE:
        if condition:
            cpu.pc += distance
            cpu.cycles += 1
        return
    following = cpu.instruction(cpu.pc)
    if distance == 0:
        raise SecretTime(f"the branch at 0x{2 * (cpu.pc - 1):04x} depends on a secret")
    if distance == following.words == 1:
        _conditional(cpu, condition, following)
        return
    raise SecretTime(f"the branch at 0x{2 * (cpu.pc - 1):04x} depends on a secret")
