"""Branches on public numbers: what both ways leave is joined, and ML-DSA's transforms and products are proved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bancada.formulas.graph import Graph
from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Range
from bancada.prove.avr import Cpu, step
from bancada.prove.avr_branches import PublicBranches
from bancada.prove.avr_number import Number
from bancada.prove.avr_numbers import NOT_FOLLOWED, NumberSteps
from bancada.prove.avr_words import Words
from bancada.prove.congruence import difference_of
from bancada.prove.errors import CannotProve
from bancada.prove.needs import needs_of
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import NOT_POSSIBLE, PROVED, REFUTED, Demand, prove_one
from tests.engines.simavr.engine_bench import build
from tests.prove.changed_proofs import PROOFS, changed_proofs
from tests.prove.conftest import Link, tatu_sources

pytestmark = pytest.mark.long

KNOWN = read_proofs(PROOFS)
# No firmware that is measured on an UNO has these functions.
HERE = ("ml_dsa_multiply_add_sampled", "ml_dsa_ntt_lower_half", "ml_dsa_ntt_upper_half", "ml_dsa_inverse_ntt")
SLOW = ("ml_dsa_ntt_upper_half", "ml_dsa_inverse_ntt")
WITHOUT_BRANCHES = "ml_dsa_multiply_add_sparse"
Q = 8380417


@pytest.fixture(scope="module")
def program(link: Link) -> Program:
    functions = sorted({function for name in (*HERE, WITHOUT_BRANCHES) for function in needs_of(KNOWN[name]).functions})
    return read_program(link("branches", tatu_sources("ml_dsa", "sha3"), functions))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HERE],
)
def test_a_function_that_branches_is_proved(program: Program, name: str) -> None:
    proved = prove_one(program, name, KNOWN[name], PROOFS, Demand(1))
    assert (proved.verdict, proved.by) == (PROVED, "polynomials"), proved.reason
    [call] = proved.calls
    assert call.cycles is not None
    assert call.least_cycles is not None
    assert call.least_cycles < call.cycles


def test_a_product_at_known_positions_is_proved(program: Program) -> None:
    name = WITHOUT_BRANCHES
    proved = prove_one(program, name, KNOWN[name], PROOFS, Demand(1))
    assert (proved.verdict, proved.by) == (PROVED, "polynomials"), proved.reason


def difference(program: Program, folder: Path, *changes: tuple[str, str]) -> set[str]:
    """What keeps the first case of a changed proof from being one; {''} if nothing does."""
    proof = Proof(program)
    read_proofs(changed_proofs(folder, "ml_dsa.py", *changes))["ml_dsa_multiply_add_sampled"](proof)
    return {difference_of(proof, each) for each in proof.congruences}


SUM = "proof.equal_coefficients(total, expected, Q, 0, Q - 1)"


def test_bounds_of_what_was_joined_are_asked_for(program: Program, tmp_path: Path) -> None:
    assert difference(program, tmp_path, (SUM, SUM)) == {""}
    proof = Proof(program, chosen=(1, 1))
    narrower = (SUM, "proof.equal_coefficients(total, expected, Q, 0, Q - 2)")
    read_proofs(changed_proofs(tmp_path, "ml_dsa.py", narrower))["ml_dsa_multiply_add_sampled"](proof)
    assert any("may be 0 to 8380416" in difference_of(proof, each) for each in proof.congruences)


# Opcodes for registers of a word in r2 to r4, another one in r16 to r18, q in r5 to r7, and others in r20 and r21.
SUBTRACT = (0x1A20, 0x0A31, 0x0A42)  # sub r2, r16; sbc r3, r17; sbc r4, r18
ADD = (0x0E20, 0x1E31, 0x1E42)
ADD_Q = (0x9408, 0x1C21, 0x1C36, 0x1C47)  # sec; adc r2, r1; adc r3, r6; adc r4, r7, where r1 is 0
SUBTRACT_Q = (0x9408, 0x0821, 0x0836, 0x0847)
OTHERS = (0x2F45, 0xE04A, 0x9543, 0x9540, 0x0F45, 0x2744, 0x2F24, 0x2E24)  # mov, ldi, inc, com, add, clr of r20, ...
BRCC, BRCS, BRPL, BRMI = 0xF400, 0xF000, 0xF402, 0xF002


def flash_of(draw: random.Random) -> tuple[bytes, int]:
    """Words of a sum or a difference, a branch over a few instructions, and the number of instructions before it."""
    before = draw.choice((SUBTRACT, SUBTRACT, (*ADD, *SUBTRACT_Q), ADD))
    skipped = [*draw.choice((ADD_Q, SUBTRACT_Q, ADD_Q, ())), *draw.choices(OTHERS, k=draw.choice((0, 0, 1, 2)))]
    if not skipped:
        skipped = [OTHERS[0]]
    branch = draw.choice((BRCC, BRCS, BRPL, BRMI)) | len(skipped) << 3
    opcodes = [*before, branch, *skipped, *SUBTRACT, 0, 0]
    return b"".join(each.to_bytes(2, "little") for each in opcodes), len(opcodes) - 2


@pytest.mark.parametrize("seed", range(3))
def test_what_is_joined_is_what_the_machine_of_bits_leaves(seed: int) -> None:
    """For random numbers, random instructions before the branch and after it: the registers have these values, and
    their bounds hold. What cannot be followed is said."""
    draw = random.Random(seed)
    joined = 0
    for _ in range(150):
        flash, end = flash_of(draw)
        ring = Integers()
        words, steps = Words(ring, 3), NumberSteps(ring)
        steps.words, steps.branches = words, PublicBranches(ring)
        low = draw.choice((0, 0, -Q, -(1 << 23)))
        high = draw.choice((Q - 1, 2 * Q, (1 << 23) - 1)) if low == 0 else draw.choice((0, Q - 1))
        bounds = Range(low, high)
        registers: list[object] = [0] * 32
        registers[2:5] = words.bytes_of(ring.input("x", low, high), bounds)
        registers[16:19] = words.bytes_of(ring.input("y", 0, Q - 1), Range(0, Q - 1))
        registers[20], registers[21] = (Number(ring.input(name, 0, 255), Range(0, 255)) for name in ("u", "v"))
        registers[6], registers[7] = 0xE0, 0x7F
        flags: list[object] = [NOT_FOLLOWED] * 8
        cpu = Cpu(Graph(), flash, registers, flags, 0, 0x8FF)  # type: ignore[arg-type]
        try:
            while cpu.pc != end:
                steps.step(cpu)
        except CannotProve:
            continue
        joined += 1
        word = words.number_of(*cpu.registers[2:5])
        for _ in range(6):
            values = {"x": draw.choice((low, high, draw.randint(low, high))), "u": draw.getrandbits(8)}
            values |= {"y": draw.choice((0, Q - 1, draw.randint(0, Q - 1))), "v": draw.getrandbits(8)}
            known = [0] * 32
            known[2:5] = (values["x"] % (1 << 24)).to_bytes(3, "little")
            known[16:19] = values["y"].to_bytes(3, "little")
            known[20], known[21], known[6], known[7] = values["u"], values["v"], 0xE0, 0x7F
            plain = Cpu(Graph(), flash, [*known], [0] * 8, 0, 0x8FF)
            while plain.pc != end:
                step(plain)
            for at, found in enumerate(cpu.registers):
                byte: object = found
                if not isinstance(byte, Number):
                    assert byte == plain.registers[at], f"r{at}"
                    continue
                value = ring.value_of(byte.value, values)
                assert value == plain.registers[at], f"r{at}"
                assert byte.range.low <= value <= byte.range.high
            if word is not None:
                number, limits = word
                assert limits.low <= ring.value_of(number, values) <= limits.high
            assert cpu.cycles - cpu.spared <= plain.cycles <= cpu.cycles
    assert joined > 40


def test_what_holds_in_one_case_is_not_found_afterwards() -> None:
    ring = Integers()
    number = ring.input("number", -5, 5)
    with ring.one_case() as first:
        kept = ring.named_apart(number, Range(0, 5))
        assert ring.floor(kept + 300, 8, Range(1, 1)).constant() == 1
        inside = ring.floor(3 * kept - 9, 2, Range(-3, 1))
        assert max(inside.atoms()) > first
        mistaken = ring.floor(number + 256, 8, Range(1, 1))  # as far as this case knows
        assert mistaken.constant() == 1
        again = ring.floor(3 * number, 2, Range(0, 3))
    after = ring.floor(3 * number, 2, Range(-4, 3))
    assert after.terms != again.terms
    assert ring.range_of(after) == Range(-4, 3)
    assert ring.named(number, Range(-5, 5)).terms != kept.terms


FUNCTION = """
.global main
main: ret
.global function
.type function, @function
function:
 movw r30, r22
 movw r26, r24
 ld r18, Z
 ldd r19, Z+1
 ldd r20, Z+2
 subi r18, 1
 sbci r19, 0xe0
 sbci r20, 0x7f
 {branch}
 subi r18, 0xff
 sbci r19, 0x1f
 sbci r20, 0x80
1: {after}
 st X+, r18
 st X+, r19
 st X, r20
 ret
.size function, . - function
"""


def once_q(proof: Proof) -> None:
    proof.branches_on_public_numbers()
    output = proof.output("output", 3)
    number = proof.coefficients("number", 1, 0, 2 * Q - 1, size=3)
    proof.call("function", output, number)
    proof.equal_coefficients(output, number.coefficients, Q, 0, Q - 1)


def not_public(proof: Proof) -> None:
    output = proof.output("output", 3)
    number = proof.coefficients("number", 1, 0, 2 * Q - 1, size=3)
    proof.call("function", output, number)
    proof.equal_coefficients(output, number.coefficients, Q, 0, Q - 1)


@pytest.mark.parametrize(
    ("branch", "after", "verdict"),
    [
        ("brcc 1f", "", PROVED),
        ("brcs 1f", "", REFUTED),
        ("brpl 1f", "", PROVED),
        ("brmi 1f", "", REFUTED),
        ("breq 1f", "", REFUTED),
        ("brcs 2f\n rjmp 1f\n2:", "", NOT_POSSIBLE),
        ("brcc 1f", "adc r18, r1", NOT_POSSIBLE),
    ],
)
def test_a_number_is_brought_below_q(tmp_path: Path, branch: str, after: str, verdict: str) -> None:
    source = tmp_path / "function.S"
    source.write_text(FUNCTION.format(branch=branch, after=after))
    proved = prove_one(read_program(build(tmp_path, [source])), "once_q", once_q, source, Demand(2))
    if after:
        assert proved.verdict in (REFUTED, NOT_POSSIBLE)
        return
    assert proved.verdict == verdict, proved.reason
    if verdict == PROVED:
        [call] = proved.calls
        assert call.cycles is not None
        assert call.least_cycles == call.cycles - 2
        secret = prove_one(read_program(build(tmp_path, [source])), "not_public", not_public, source, Demand(1))
        assert "depends on a secret" in secret.reason
    if verdict == NOT_POSSIBLE:
        assert "do not join" in proved.reason
