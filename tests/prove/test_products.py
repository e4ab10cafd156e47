"""Products and sums of many bytes, case by case for the signs of differences. `make prove` proves the two that take
longest, Poly1305's and the one modulo 2^255 - 19, too."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bancada.formulas.graph import Graph
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import ImpossibleCase, Polynomial, Range
from bancada.prove.avr import Cpu
from bancada.prove.avr_decode import Instruction, decode
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NOT_FOLLOWED
from bancada.prove.mutants import outcomes
from bancada.prove.needs import needs_of
from bancada.prove.product_box import ProductBox
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof, ProofFunction
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import NOT_POSSIBLE, PROVED, REFUTED, UNDECIDED, Demand, Proved, prove_one
from tests.engines.simavr.engine_bench import build
from tests.prove.changed_proofs import PROOFS
from tests.prove.conftest import Link, tatu_sources

pytestmark = pytest.mark.long

KNOWN = read_proofs(PROOFS)
CURVES = {"p256": ("p256", "sha2", "weierstrass"), "secp256k1": ("secp256k1", "sha2", "weierstrass")}
QUICK = {
    "multiply_16": (),
    "multiply_16_over_a_factor": (),
    "square_16": (),
    "ed25519_square": ("x25519", "sha512"),
    **dict.fromkeys(("rsa_add_64", "rsa_subtract_128", "rsa_subtract_multiple", "rsa_add_products"), ("rsa", "sha2")),
    **{
        f"{curve}_{name}": modules
        for curve, modules in CURVES.items()
        for name in (
            "product",
            "add",
            "subtract",
            "multiply",
            "square",
            "square_repeatedly",
            "parts_of_product",
            "parts_of_square",
        )
    },
}
# Others of the same rules, and secp256k1's of the same form, are quick.
SLOW = ("ed25519_square", "p256_multiply", "p256_square_repeatedly")


def program_of(link: Link, name: str) -> Program:
    """What is local to a curve's field is linked with it."""
    needed = [each for each in needs_of(KNOWN[name]).functions if "_parts_of_" not in each]
    curve = next((each for each in CURVES if name.startswith(each)), "")
    more = [f"tatu_internal_{curve}_run"] if curve else []
    return read_program(link(name, tatu_sources(*QUICK[name]), [*needed, *more]))


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in QUICK])
def test_a_product_is_proved(link: Link, name: str) -> None:
    proved = prove_one(program_of(link, name), name, KNOWN[name], PROOFS, Demand(1))
    assert (proved.verdict, proved.by) == (PROVED, "polynomials"), proved.reason


def instruction_at(program: Program, address: int) -> Instruction:
    words = [int.from_bytes(program.flash[at : at + 2], "little") for at in (address, address + 2)]
    found = decode(*words)
    assert found is not None
    return found


def test_mutants_of_a_product_are_not_proved(link: Link) -> None:
    """Instructions of a product's last part, which adds up what the cases differ in, are dropped. What is lost of a
    carry that is rare stays undecided: no number that is drawn shows it."""
    name = "square_16"
    program = program_of(link, name)
    at = program.functions["tatu_internal_square_16_avr"]
    dropped: list[tuple[int, Instruction]] = []
    verdicts: list[str] = []
    while (one := instruction_at(program, at)).name != "RET":
        dropped.append((at, one))
        at += 2 * one.words
    for place, one in dropped[-60::8]:
        flash = bytearray(program.flash)
        flash[place : place + 2 * one.words] = bytes(2 * one.words)
        changed = replace(program, flash=bytes(flash))
        verdict = prove_one(changed, name, KNOWN[name], PROOFS, Demand(1)).verdict
        assert verdict != PROVED, f"without {one.name} at {place:#x}"
        verdicts.append(verdict)
    assert verdicts.count(REFUTED) >= 3


DIFFERENCE = """
.global main
main: ret
.global difference
.type difference, @function
difference:
 movw r30, r22
 movw r26, r24
 ld r18, Z
 ldd r19, Z+1
 ldd r20, Z+2
 ldd r21, Z+3
 sub r18, r20
 sbc r19, r21
 {mask}
 eor r18, r22
 eor r19, r22
 sub r18, r22
 sbc r19, {last}
 st X+, r18
 st X, r19
 ret
.size difference, . - difference
"""


def square_of_difference(proof: Proof) -> None:
    """What the function leaves is the difference or its negative: its square says it without a sign."""
    proof.by_cases(1)
    output = proof.output("output", 2)
    one = proof.numbers("one", 2)
    other = proof.numbers("other", 2, adjoins=True)
    proof.call("difference", output, one)
    sign = 1 - 2 * (proof.chosen or (0,))[0]
    proof.equal_modulo(output, sign * (one.number - other.number), 0)


@pytest.mark.parametrize(
    ("mask", "last", "verdicts"),
    [
        ("sbc r22, r22", "r22", {PROVED}),
        ("sbc r22, r22\n com r22", "r22", {REFUTED, UNDECIDED}),
        ("sbc r22, r22", "r1", {REFUTED, UNDECIDED}),
        ("sbc r22, r1", "r22", {NOT_POSSIBLE, REFUTED, UNDECIDED}),
    ],
)
def test_the_absolute_value_of_a_difference(tmp_path: Path, mask: str, last: str, verdicts: set[str]) -> None:
    source = tmp_path / "difference.S"
    source.write_text(DIFFERENCE.format(mask=mask, last=last))
    program = read_program(build(tmp_path, [source]))
    # Numbers that are drawn have no cases, so that no trial comes first.
    proved = prove_one(program, "difference", square_of_difference, source, Demand(2, second="cadical"))
    assert proved.verdict in verdicts, proved.reason


def test_what_is_assumed_holds_in_bounds_and_values() -> None:
    """For numbers for which the assumption is true, the polynomial has its value, and bounds have it within."""
    draw = random.Random(7)
    narrowed = 0
    for _ in range(300):
        ring = Integers()
        values = {f"x{at}": draw.choice((0, 255, draw.getrandbits(8))) for at in range(4)}
        made: list[Polynomial] = [ring.input(name, 0, 255) for name in values]
        difference = made[0] + 256 * made[1] - made[2] - 256 * made[3]
        borrow = ring.floor(difference, 16, Range(-1, 0))
        factor = draw.choice((1, -1, 3))
        whole = difference * factor + draw.randrange(-300, 300)
        before = ring.range_of(whole)
        ring.assume(-borrow, -ring.value_of(borrow, values))
        for polynomial in (whole, borrow, whole + borrow * draw.choice((1, 1 << 16)), -whole * made[0]):
            settled = ring.with_assumed(polynomial)
            value = ring.value_of(polynomial, values)
            assert ring.value_of(settled, values) == value
            bounds = ring.range_of(settled)
            assert bounds.low <= value <= bounds.high
        narrowed += ring.range_of(whole) != before
    assert narrowed > 200


def test_what_cannot_be_is_said() -> None:
    ring = Integers()
    one, other = ring.input("one", 0, 255), ring.input("other", 0, 255)
    borrow = ring.floor(one - other, 8, Range(-1, 0))
    ring.assume(borrow, -1)  # one is less than the other
    bounds = ring.range_of(other - one)
    assert (bounds.low, bounds.high) == (1, 255)
    with pytest.raises(ValueError, match="no sum of floors"):
        ring.assume(one, 3)


def test_two_assumptions_that_contradict_each_other() -> None:
    ring = Integers()
    one, other = ring.input("one", 0, 255), ring.input("other", 0, 255)
    borrow = ring.floor(one - other, 8, Range(-1, 0))
    twice = ring.floor(2 * one - 2 * other - 1, 10, Range(-1, 0))
    ring.assume(borrow, 0)
    ring.assume(twice, 0)  # so one is greater
    with pytest.raises(ImpossibleCase):
        ring.assumed.append((other - one, Range(0, 255)))
        ring.range_of(one - other)


@pytest.mark.parametrize("is_square", [False, True])
@pytest.mark.parametrize("unites_signs", [False, True])
def test_the_parts_of_a_product_are_what_they_are_said_to_be(is_square: bool, unites_signs: bool) -> None:
    """Bytes that are not followed have these values, for random numbers and for the greatest."""
    draw = random.Random(2 * is_square + unites_signs)
    most: set[int] = set()
    for _ in range(30):
        ring = Integers()
        ring.unites_signs = unites_signs
        numbers = [bytes(draw.choice((0, 255, 255, draw.getrandbits(8))) for _ in range(32)) for _ in range(2)]
        if draw.getrandbits(2) == 0:
            numbers = [bytes([255] * 32)] * 2
        memory: dict[int, object] = {0x8FE: 0x12, 0x8FF: 0x34}
        values: dict[str, int] = {}
        for start, content in zip((0x200, 0x300), numbers, strict=True):
            for at, byte in enumerate(content):
                values[f"{start + at}"] = byte
                memory[start + at] = Number(ring.input(f"{start + at}", 0, 255), Range(0, 255))
        registers: list[object] = [0] * 32
        registers[26:32] = 0x00, 0x02, 0x00, 0x03, 0x00, 0x04
        flags: list[object] = [NOT_FOLLOWED] * 8
        cpu = Cpu(Graph(), b"", registers, flags, 0, 0x8FD, memory)  # type: ignore[arg-type]
        ProductBox(ring, 32, is_square, 48).execute(cpu)
        one, other = (int.from_bytes(each, "little") for each in (numbers[0], numbers[0 if is_square else 1]))
        upper = (one >> 128) * (other >> 128) >> 128
        missing = (one * other >> 384) - upper
        most.add(missing)
        values["r18 after a product"] = missing
        left = [cpu.memory[0x400 + at] for at in range(64)]
        found = [ring.value_of(each.value, values) for each in left if isinstance(each, Number)]
        expected = (one * other % (1 << 384) + (upper << 384)).to_bytes(64, "little")
        assert bytes(found) == expected
        lacks: object = cpu.registers[18]
        assert isinstance(lacks, Number)
        assert lacks.range == Range(0, 2)
        assert ring.value_of(lacks.value, values) == missing
        assert cpu.registers[28:30] == [0x00, 0x04]
        assert (cpu.registers[1], cpu.pc, cpu.sp) == (0, 0x1234, 0x8FF)
        for each in left:
            assert isinstance(each, Number)
            bounds = ring.deep_range(each.value)
            assert bounds.low <= ring.value_of(each.value, values) <= bounds.high
    assert most >= {0, 1}


def test_mutants_are_of_what_is_followed(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product of 16 bytes has a proof of its own."""
    program = program_of(link, "secp256k1_parts_of_square")
    monkeypatch.setattr("bancada.prove.mutants.judge", lambda *_: "refuted")
    arguments = (program, "secp256k1_parts_of_square", KNOWN["secp256k1_parts_of_square"], PROOFS, 60)
    addresses = [mutant.address for mutant, _ in outcomes(*arguments, {})]
    assert len(addresses) == 60
    square = program.functions["tatu_internal_square_16_avr"]
    assert not [each for each in addresses if square <= each < square + 200]


def test_a_symbol_that_is_nowhere_is_no_function(tmp_path: Path) -> None:
    source = tmp_path / "weak.S"
    source.write_text(".weak nowhere\n.global main\nmain: ldi r24, lo8(nowhere)\n ret\n")
    assert "nowhere" not in read_program(build(tmp_path, [source])).functions


def test_a_product_of_another_size_is_not_taken(link: Link) -> None:
    """The proof of a product of 32 bytes, with a part that multiplies other numbers than the program gives it."""

    def wrong(proof: Proof) -> None:
        proof.by_cases(4)
        proof.product("tatu_internal_multiply_16_avr", 16, is_square=True)
        product = proof.output("product", 64)
        proof.room("room", 48)
        one, other = proof.numbers("one", 32), proof.numbers("other", 32)
        proof.call("tatu_internal_p256_product_avr", product, one, other)
        proof.equal_modulo(product, one.number * other.number, 0)

    proved = prove_one(program_of(link, "p256_product"), "wrong", wrong, PROOFS, Demand(1))
    assert proved.verdict in (NOT_POSSIBLE, UNDECIDED)


MULTIPLY_2 = """
.global multiply_2
.type multiply_2, @function
multiply_2:
 ret
.size multiply_2, . - multiply_2
"""


def verdict_of(folder: Path, body: str, proof: ProofFunction) -> Proved:
    """Of a function, without the trials, which would show most of what is wrong."""
    source = folder / "function.S"
    head = ".global main\nmain: ret\n.global function\n.type function, @function\nfunction:\n"
    source.write_text(f"{head}{body}\n ret\n.size function, . - function\n{MULTIPLY_2}")
    return prove_one(read_program(build(folder, [source])), "function", proof, source, Demand(1, second="cadical"))


@pytest.mark.parametrize(
    ("branch", "verdict"),
    [("", PROVED), (" brcs 1f\n nop\n rjmp 2f\n1: nop\n nop\n2:", NOT_POSSIBLE), (" brcs 1f\n nop\n1:", NOT_POSSIBLE)],
)
def test_a_branch_on_a_carry_taken_case_by_case(tmp_path: Path, branch: str, verdict: str) -> None:
    """It depends on a secret, with as many cycles both ways too."""
    source = tmp_path / "difference.S"
    source.write_text(DIFFERENCE.format(mask=f"sbc r22, r22\n{branch}", last="r22"))
    program = read_program(build(tmp_path, [source]))
    proved = prove_one(program, "difference", square_of_difference, source, Demand(1, second="cadical"))
    assert proved.verdict == verdict, proved.reason
    assert ("case by case" in proved.reason) == (verdict == NOT_POSSIBLE)


@pytest.mark.parametrize(("last", "verdict"), [("ldi r19, 0", PROVED), ("in r19, 0x3f", REFUTED), ("", REFUTED)])
def test_a_byte_that_is_no_number_is_not_0(tmp_path: Path, last: str, verdict: str) -> None:
    """SREG, or a byte of bits that is passed as an argument."""

    def copied(proof: Proof) -> None:
        output = proof.output("output", 2)
        number = proof.numbers("number", 1)
        proof.call("function", output, number, proof.unknown("bit", 1))
        proof.equal_modulo(output, number.number, 0)

    body = f" movw r30, r22\n movw r26, r24\n mov r19, r20\n ld r18, Z\n {last}\n st X+, r18\n st X, r19"
    proved = verdict_of(tmp_path, body, copied)
    assert proved.verdict == verdict, proved.reason


@pytest.mark.parametrize(
    ("distance", "verdict"), [(-3, NOT_POSSIBLE), (0, NOT_POSSIBLE), (1, NOT_POSSIBLE), (2, PROVED)]
)
def test_a_product_is_not_written_over_a_factor(tmp_path: Path, distance: int, verdict: str) -> None:
    """The function need not have read all of it before it writes."""

    def product(proof: Proof) -> None:
        proof.product("multiply_2", 2)
        other = proof.numbers("other", 2)
        proof.numbers("before", 4, written=True, adjoins=True)
        one = proof.numbers("one", 2, written=True, adjoins=True)
        place = proof.numbers("place", 4, written=True, adjoins=True)
        start = replace(place, address=one.address + distance)
        proof.call_with_pointers("function", {"X": (one, 2), "Y": (other, 2), "Z": (start, 4)})
        proof.equal_modulo(start, one.number * other.number, 0)

    proved = verdict_of(tmp_path, " rcall multiply_2", product)
    assert proved.verdict == verdict, proved.reason
    assert ("where a factor is" in proved.reason) == (verdict == NOT_POSSIBLE)


def test_a_cipher_is_no_part_of_a_proof_about_numbers(tmp_path: Path) -> None:
    def both(proof: Proof) -> None:
        context, block = proof.numbers("context", 1), proof.numbers("block", 16, written=True)
        proof.black_box(context, ["multiply_2"], list)
        proof.call("function", context, block, block)
        proof.equal_modulo(block, block.number, 2)

    proved = verdict_of(tmp_path, " rcall multiply_2", both)
    assert (proved.verdict, "about numbers" in proved.reason) == (NOT_POSSIBLE, True)


def test_a_bound_that_is_known_is_no_help_for_others() -> None:
    """What was assumed may leave a number without atoms."""
    ring = Integers()
    one = ring.input("one", 0, 255)
    ring.assumed.append((ring.constant(3), Range(0, 7)))
    assert ring.range_of(2 * one) == Range(0, 510)
