"""A64 loads and stores (Arm Architecture Reference Manual, DDI 0487, sections C4.1 and C7.2): those that Tatu's kernels
need. Whether addresses are aligned does not matter: Linux lets both be."""

from __future__ import annotations

from bancada.formulas.graph import FALSE
from bancada.formulas.word import add, constant_bits
from bancada.prove.aarch64_cpu import SP, VECTOR_BITS, WORD_BITS, Cpu
from bancada.prove.aarch64_integer import reserved
from bancada.prove.encoding import Table
from bancada.prove.lanes import Bits, joined, lanes_of, repeated

TABLE: Table[Cpu] = Table()
_WORD_MASK = (1 << WORD_BITS) - 1


def _moved(cpu: Cpu, base: Bits, by: int) -> Bits:
    return add(cpu.graph, base, constant_bits(by & _WORD_MASK, WORD_BITS), FALSE)[0]


def _signed(value: int, width: int) -> int:
    return value - (value >> width - 1 << width)


def _load(cpu: Cpu, address: int, t: int, size: int, is_vector: bool) -> None:
    if is_vector:
        cpu.write_vector(t, cpu.load(address, size))
    else:
        cpu.write(t, cpu.load(address, size))


def _store(cpu: Cpu, address: int, t: int, size: int, is_vector: bool) -> None:
    cpu.store(address, cpu.vectors[t][: 8 * size] if is_vector else cpu.read(t, 8 * size))


def _move_one(cpu: Cpu, loads: int, n: int, t: int, offset: int, size: int, is_vector: bool) -> None:
    address = cpu.address(_moved(cpu, cpu.read_or_sp(n), offset), n)
    (_load if loads else _store)(cpu, address, t, size, is_vector)


@TABLE.instruction("1 big 1110010 loads imm12:12 n:5 t:5")
def load_store(cpu: Cpu, *, big: int, loads: int, imm12: int, n: int, t: int) -> None:
    """LDR and STR of a word or a double word, at an offset without a sign."""
    size = 8 if big else 4
    _move_one(cpu, loads, n, t, size * imm12, size, False)


@TABLE.instruction("1 big 1110000 loads 0 imm9:9 00 n:5 t:5")
def load_store_unscaled(cpu: Cpu, *, big: int, loads: int, imm9: int, n: int, t: int) -> None:
    """LDUR and STUR."""
    _move_one(cpu, loads, n, t, _signed(imm9, 9), 8 if big else 4, False)


@TABLE.instruction("1 big 1111010 loads imm12:12 n:5 t:5", "00111101 q loads imm12:12 n:5 t:5")
def load_store_vector(
    cpu: Cpu, *, loads: int, imm12: int, n: int, t: int, big: int | None = None, q: int | None = None
) -> None:
    """LDR and STR of an S, D or Q register."""
    if big is None and not q:
        raise reserved(cpu)  # a byte, which is not followed
    size = 16 if big is None else 8 if big else 4
    _move_one(cpu, loads, n, t, size * imm12, size, True)


_POST, _OFFSET, _PRE = 1, 2, 3


def _pair(
    cpu: Cpu, mode: int, loads: int, imm7: int, registers: tuple[int, int], n: int, size: int, is_vector: bool
) -> None:
    if mode == 0:
        raise reserved(cpu)  # LDNP and STNP, which are not followed
    one, other = registers
    writes_back = mode != _OFFSET
    if loads and one == other or writes_back and n != SP and n in registers and not is_vector:
        raise reserved(cpu)
    base = cpu.read_or_sp(n)
    after = _moved(cpu, base, _signed(imm7, 7) * size)
    address = cpu.address(base if mode == _POST else after, n)
    # Before a store: what a push writes lies below the stack pointer that was, and not below the one that is.
    if writes_back and not loads:
        cpu.write_or_sp(n, after)
    for at, register in enumerate(registers):
        (_load if loads else _store)(cpu, address + at * size, register, size, is_vector)
    if writes_back and loads:
        cpu.write_or_sp(n, after)


@TABLE.instruction("big 0101 00 mode:2 loads imm7:7 t2:5 n:5 t:5")
def load_store_pair(cpu: Cpu, *, big: int, mode: int, loads: int, imm7: int, t2: int, n: int, t: int) -> None:
    """LDP and STP."""
    _pair(cpu, mode, loads, imm7, (t, t2), n, 8 if big else 4, False)


@TABLE.instruction("opc:2 10110 mode:2 loads imm7:7 t2:5 n:5 t:5")
def load_store_pair_of_vectors(
    cpu: Cpu, *, opc: int, mode: int, loads: int, imm7: int, t2: int, n: int, t: int
) -> None:
    """LDP and STP of S, D and Q registers."""
    if opc == 3:
        raise reserved(cpu)
    _pair(cpu, mode, loads, imm7, (t, t2), n, 4 << opc, True)


# LD1 and ST1 of one to four registers, and LD4, section C4.1: opcode, registers, elements that take turns.
_STRUCTURES = {0b0111: (1, 1), 0b1010: (2, 1), 0b0110: (3, 1), 0b0010: (4, 1), 0b0000: (4, 4)}


@TABLE.instruction(
    "0 q 0011000 loads 000000 opcode:4 size:2 n:5 t:5", "0 q 0011001 loads 0 m:5 opcode:4 size:2 n:5 t:5"
)
def structures(cpu: Cpu, *, q: int, loads: int, opcode: int, size: int, n: int, t: int, m: int | None = None) -> None:
    if opcode not in _STRUCTURES:
        raise reserved(cpu)
    count, turns = _STRUCTURES[opcode]
    if turns > 1 and (size == 3 and not q or not loads):
        raise reserved(cpu)  # ST4 is not followed
    width = VECTOR_BITS if q else VECTOR_BITS // 2
    numbers = [(t + at) % 32 for at in range(count)]
    base = cpu.read_or_sp(n)
    address = cpu.address(base, n)
    if loads:
        loaded = cpu.load(address, count * width // 8)
        if turns > 1:
            elements = lanes_of(loaded, 8 << size)
            parts = [joined(elements[at::turns]) for at in range(turns)]
        else:
            parts = lanes_of(loaded, width)
        for number, part in zip(numbers, parts, strict=True):
            cpu.write_vector(number, part)
    else:
        cpu.store(address, joined([cpu.vectors[number][:width] for number in numbers]))
    _post(cpu, base, m, n, count * width // 8)


@TABLE.instruction("0 q 00110101000000 1100 size:2 n:5 t:5", "0 q 001101110 m:5 1100 size:2 n:5 t:5")
def load_and_repeat(cpu: Cpu, *, q: int, size: int, n: int, t: int, m: int | None = None) -> None:
    """LD1R."""
    base = cpu.read_or_sp(n)
    element = cpu.load(cpu.address(base, n), 1 << size)
    cpu.write_vector(t, repeated(element, VECTOR_BITS if q else VECTOR_BITS // 2))
    _post(cpu, base, m, n, 1 << size)


def _post(cpu: Cpu, base: Bits, m: int | None, n: int, size: int) -> None:
    """What a post-indexed load or store adds to its base: a register, or its own size."""
    if m is None:
        return
    by = constant_bits(size, WORD_BITS) if m == 31 else cpu.registers[m]
    cpu.write_or_sp(n, add(cpu.graph, base, by, FALSE)[0])
