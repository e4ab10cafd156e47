"""Bytes as polynomials: each instruction gives what the machine of bits gives, and bounds are none too close."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bancada.formulas.graph import Graph
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Polynomial, Range
from bancada.formulas.residue import Residue
from bancada.prove.avr import C, Cpu, step
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NOT_FOLLOWED, NumberSteps
from bancada.prove.program import read_program
from bancada.prove.proof import Proof
from bancada.prove.prove import PROVED, REFUTED, Demand, prove_one
from tests.engines.simavr.engine_bench import build

pytestmark = pytest.mark.long

# Opcodes of each instruction that numbers follow, with r20 and r21: of two registers, and with constants.
PAIRS = {"ADD": 0x0F45, "ADC": 0x1F45, "SUB": 0x1B45, "SBC": 0x0B45, "AND": 0x2345, "EOR": 0x2745, "OR": 0x2B45}
PAIRS |= {"MUL": 0x9F45, "MULSU": 0x0345, "SBC of itself": 0x0B44, "EOR of itself": 0x2744, "ADC of itself": 0x1F44}
ALONE = {"COM": 0x9540, "NEG": 0x9541, "INC": 0x9543, "DEC": 0x954A, "LSR": 0x9546, "ROR": 0x9547, "SWAP": 0x9542}
CONSTANTS = {"SUBI": 0x5040, "SBCI": 0x4040, "ANDI": 0x7040, "ORI": 0x6040}
OPAQUE = ("AND", "EOR", "OR")


def machine(opcode: int, registers: list[object], carry: object) -> Cpu:
    flags: list[object] = [carry, *(NOT_FOLLOWED for _ in range(7))]
    flash = opcode.to_bytes(2, "little") * 2
    return Cpu(Graph(), flash, registers, flags, 0, 0x8FF)  # type: ignore[arg-type]


class OneCase:
    """Inputs with values, and what each number is for them."""

    def __init__(self, draw: random.Random) -> None:
        self.ring = Integers()
        self.steps = NumberSteps(self.ring)
        self.values = {at: draw.choice((0, 255, draw.getrandbits(8))) for at in ("x", "y", "z")}
        self.values["c"] = draw.getrandbits(1)

    def unknown(self, name: str, high: int) -> object:
        return Number(self.ring.input(name, 0, high), Range(0, high))

    def number(self, value: object) -> int:
        if isinstance(value, Number):
            return self.ring.value_of(value.value, self.values)
        assert isinstance(value, int)
        return value

    def after(self, opcode: int, registers: list[object], carry: object) -> tuple[list[object], object]:
        cpu = machine(opcode, registers, carry)
        self.steps.step(cpu)
        return list(cpu.registers), cpu.flags[C]


@pytest.mark.parametrize("name", [*PAIRS, *ALONE, *CONSTANTS])
def test_an_instruction_gives_what_the_machine_of_bits_gives(name: str) -> None:
    """With bytes and a carry of every kind: known, unknown, masks, and sums that were carried."""
    draw = random.Random(name)
    compared = 0
    for _ in range(60):
        opcode = (PAIRS | ALONE | CONSTANTS)[name]
        if name in CONSTANTS:
            opcode |= draw.getrandbits(4) | draw.getrandbits(4) << 8
        case = OneCase(draw)
        registers: list[object] = [0] * 32
        for at, byte in ((20, "x"), (21, "y"), (22, "z")):
            registers[at] = draw.choice((case.unknown(byte, 255), case.values[byte]))
        carry = draw.choice((case.unknown("c", 1), case.values["c"]))
        if draw.getrandbits(1):
            registers, carry = case.after(0x0F56, registers, carry)  # add r21, r22
        if draw.getrandbits(1):
            registers, carry = case.after(0x0B44, registers, carry)  # sbc r20, r20
        # AND, EOR and OR of two bytes that are no masks may be anything; so may OR of masks.
        operands = (registers[20], registers[21])
        if name in OPAQUE and all(
            isinstance(each, Number) and (each.mask is None or name == "OR") for each in operands
        ):
            continue
        numbers = [case.number(each) for each in registers]
        plain = Cpu(Graph(), opcode.to_bytes(2, "little") * 2, [*numbers], [0] * 8, 0, 0x8FF)
        plain.flags[C] = case.number(carry)
        step(plain)
        made, carried = case.after(opcode, registers, carry)
        assert [case.number(each) for each in made] == plain.registers
        for each in made:
            if isinstance(each, Number):
                assert each.range.low <= case.number(each) <= each.range.high
                assert each.mask is None or 255 * case.ring.value_of(each.mask, case.values) == case.number(each)
        if carried is not NOT_FOLLOWED:
            assert case.number(carried) == plain.flags[C]
        compared += 1
    assert compared > 20


def test_a_floor_is_a_floor_and_its_bounds_hold() -> None:
    """Of random polynomials, in floors of floors."""
    draw = random.Random(5)
    for _ in range(200):
        ring = Integers()
        names = [f"x{at}" for at in range(4)]
        made: list[Polynomial] = [ring.input(at, 0, 255) for at in names]
        values = {at: draw.choice((0, 255, draw.getrandbits(8))) for at in names}
        numbers = [values[at] for at in names]
        for _ in range(12):
            one, other = draw.randrange(len(made)), draw.randrange(len(made))
            factor, places = draw.choice((1, -1, 2, 255, 256, -512)), draw.choice((1, 3, 8, 16))
            whole = made[one] * factor + (made[other] if draw.getrandbits(1) else draw.getrandbits(9))
            value = ring.value_of(whole, values)
            bounds = ring.range_of(whole)
            assert bounds.low <= value <= bounds.high
            floor = ring.floor(whole, places, Range(bounds.low >> places, bounds.high >> places))
            assert ring.value_of(floor, values) == value >> places
            made.append(floor)
            numbers.append(value >> places)


@pytest.mark.parametrize("unites_signs", [False, True])
def test_deep_bounds_hold(unites_signs: bool) -> None:
    """Of random polynomials in floors and in names of floors, where floors that are signs are one and where not."""
    draw = random.Random(8)
    closer = 0
    for _ in range(300):
        ring = Integers()
        ring.unites_signs = unites_signs
        values = {f"x{at}": draw.choice((0, 255, draw.getrandbits(8))) for at in range(4)}
        made: list[Polynomial] = [ring.input(at, 0, 255) for at in values]
        for _ in range(8):
            one, other = draw.choice(made), draw.choice(made)
            whole = (
                one * draw.choice((1, -1, 2, 255, 256, -512)) + other * draw.choice((0, 1, -1)) + draw.randint(-9, 9)
            )
            value, bounds = ring.value_of(whole, values), ring.range_of(whole)
            deep = ring.deep_range(whole)
            assert bounds.low <= deep.low <= value <= deep.high <= bounds.high
            closer += deep != bounds
            places = draw.choice((1, 8, 16))
            known = Range(bounds.low >> places, bounds.high >> places)
            floor = ring.floor(whole, places, known)
            assert ring.value_of(floor, values) == value >> places
            made.append(ring.named(floor, known, draw.getrandbits(1) == 1) if draw.getrandbits(1) else floor)
    assert closer > 10


def test_a_range_that_is_assumed_is_one_of_what_floors_are_of() -> None:
    draw = random.Random(9)
    learned = 0
    for _ in range(300):
        ring = Integers()
        values = {f"x{at}": draw.choice((0, 255, draw.getrandbits(8))) for at in range(3)}
        one, other, third = (ring.input(at, 0, 255) for at in values)
        whole = one * draw.choice((1, 3, -2)) + other * draw.choice((1, 256, -1)) + draw.randint(-300, 300)
        bounds = ring.range_of(whole)
        floor = ring.floor(whole, 8, Range(bounds.low >> 8, bounds.high >> 8))
        number = ring.named(floor + third, Range(-1000, 1000)) if draw.getrandbits(1) else floor + third
        value = ring.value_of(number, values)
        ring.assume_range(number, Range(value - draw.choice((0, 1, 5)), value + draw.choice((0, 1, 5))))
        learned += len(ring.assumed)
        for polynomial, known in ring.assumed:
            assert known.low <= ring.value_of(polynomial, values) <= known.high
        for polynomial in (whole, number, whole + 256 * third, -whole):
            found = ring.range_of(polynomial)
            assert found.low <= ring.value_of(polynomial, values) <= found.high
    assert learned > 400


# and r20, r21; and r20, r22; com r20, and or in the place of and; then subi r20, 1; sbc r20, r20.
ALL_ONES, ALL_ZEROS = (0x2345, 0x2346, 0x9540), (0x2B45, 0x2B46)
CHOOSE = (0x5041, 0x0B44)


@pytest.mark.parametrize(("opcodes", "extreme"), [(ALL_ONES, 255), (ALL_ZEROS, 0)])
def test_what_and_or_or_made_says_all_about_its_bytes(opcodes: tuple[int, ...], extreme: int) -> None:
    """Where it is taken case by case, what is assumed is true of the bytes in the right case, and not in the other."""
    draw = random.Random(extreme)
    for _ in range(100):
        values = {at: draw.choice((extreme, extreme, extreme ^ 1, draw.getrandbits(8))) for at in ("x", "y", "z")}
        is_extreme = set(values.values()) == {extreme}
        for case in (0, 1):
            ring = Integers()
            steps = NumberSteps(ring, lambda case=case: case)  # type: ignore[misc]
            registers: list[object] = [0] * 32
            for at, name in enumerate(values, start=20):
                registers[at] = Number(ring.input(name, 0, 255), Range(0, 255))
            cpu = machine(0, registers, 0)
            cpu.flash = b"".join(each.to_bytes(2, "little") for each in (*opcodes, *CHOOSE, 0))
            for _ in (*opcodes, *CHOOSE):
                steps.step(cpu)
            assert cpu.registers[20] == 255 * case
            bytes_ = sorted(at for at, atom in enumerate(ring.atoms) if atom.name)
            about = [(fact, known) for fact, known in ring.assumed if fact.atoms() <= set(bytes_) and fact.atoms()]
            assert about
            holds = all(known.low <= ring.value_of(fact, values) <= known.high for fact, known in about)
            assert holds == (case == is_extreme)


def test_a_residue_is_none_of_another_product() -> None:
    ring = Integers()
    x, y = (Residue(ring, ring.input(at, 0, 255), 8, True) for at in ("x", "y"))
    both = x.times(y)
    assert both.part(0, 8).followed_by(both.part(8, 8)).is_congruent(x.value * y.value)
    assert (both + both).is_congruent(2 * x.value * y.value)
    assert not both.is_congruent(x.value * x.value)
    with pytest.raises(ValueError, match="known modulo 2\\^16 only"):
        (both + both).part(8, 8)


SUMS = """
.global main
main: ret
.global sums
.type sums, @function
sums:
 movw r30, r22
 movw r26, r20
 ld r18, Z
 ldd r19, Z+1
 ld r20, X+
 ld r21, X
 movw r30, r24
 {operation} r18, r20
 {with_carry} r19, r21
 st Z, r18
 std Z+1, r19
 {last}
 ret
.size sums, . - sums
"""


def sums(proof: Proof) -> None:
    output = proof.output("output", 2)
    one, other = proof.numbers("one", 2), proof.numbers("other", 2)
    proof.call("sums", output, one, other)
    proof.equal_modulo(output, one.number + other.number, 2**16)


@pytest.mark.parametrize(
    ("operation", "with_carry", "verdict"), [("add", "adc", PROVED), ("add", "add", REFUTED), ("sub", "sbc", REFUTED)]
)
def test_a_sum_is_told_from_what_is_none(tmp_path: Path, operation: str, with_carry: str, verdict: str) -> None:
    source = tmp_path / "sums.S"
    source.write_text(SUMS.format(operation=operation, with_carry=with_carry, last=""))
    proved = prove_one(read_program(build(tmp_path, [source])), "sums", sums, source, Demand(2))
    assert proved.verdict == verdict, proved.reason
    assert proved.is_replayed == (verdict == REFUTED)


def test_a_carry_that_is_lost_is_not_proved_away(tmp_path: Path) -> None:
    """The sum is exact modulo 2^16 only: one that has to be exact is refuted by an input that carries."""

    def exact(proof: Proof) -> None:
        output = proof.output("output", 2)
        one, other = proof.numbers("one", 2), proof.numbers("other", 2, masks=b"\xff\x01")
        proof.call("sums", output, one, other)
        proof.equal_modulo(output, one.number + other.number, 0)

    source = tmp_path / "sums.S"
    source.write_text(SUMS.format(operation="add", with_carry="adc", last=""))
    program = read_program(build(tmp_path, [source]))
    proved = prove_one(program, "exact", exact, source, Demand(1))
    assert (proved.verdict, proved.is_replayed) == (REFUTED, True)


def test_a_branch_on_a_number_is_a_secret_time(tmp_path: Path) -> None:
    source = tmp_path / "sums.S"
    source.write_text(SUMS.format(operation="add", with_carry="adc", last="brcs 1f\n nop\n nop\n1:"))
    proved = prove_one(read_program(build(tmp_path, [source])), "sums", sums, source, Demand(1))
    assert "depends on a secret" in proved.reason
