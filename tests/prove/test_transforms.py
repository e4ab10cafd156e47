"""Words with a sign: what is rewritten is the same number, and ML-KEM's transforms and products are proved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bancada.formulas.integers import Integers
from bancada.formulas.polynomial import Range
from bancada.prove.avr_number import Number
from bancada.prove.avr_words import Words
from bancada.prove.congruence import difference_of
from bancada.prove.needs import needs_of
from bancada.prove.program import Program, read_program
from bancada.prove.proof import Proof
from bancada.prove.proof_files import read_proofs
from bancada.prove.prove import PROVED, Demand, prove_one
from bancada.prove.trial import Trial
from tests.prove.changed_proofs import PROOFS, changed_proofs
from tests.prove.conftest import Link, tatu_sources

pytestmark = pytest.mark.long

KNOWN = read_proofs(PROOFS)
# `make prove` proves the inverse transform too.
HERE = ("ml_kem_ntt", "ml_kem_scale", "ml_kem_multiply_add_lower", "ml_kem_multiply_add_upper")


@pytest.fixture(scope="module")
def program(link: Link) -> Program:
    functions = sorted({function for name in HERE for function in needs_of(KNOWN[name]).functions})
    return read_program(link("words", tatu_sources("ml_kem", "sha3"), functions))


@pytest.mark.parametrize("name", HERE)
def test_a_transform_is_proved(program: Program, name: str) -> None:
    proved = prove_one(program, name, KNOWN[name], PROOFS, Demand(1))
    assert (proved.verdict, proved.by) == (PROVED, "polynomials"), proved.reason


def reasons(program: Program, folder: Path, name: str, *changes: tuple[str, str]) -> set[str]:
    """What keeps a changed proof from being one; {''} if nothing does."""
    proof = Proof(program)
    read_proofs(changed_proofs(folder, "ml_kem.py", *changes))[name](proof)
    return {difference_of(proof, each) for each in proof.congruences}


@pytest.mark.parametrize(("bounds", "holds"), [("-Q - 845, 845", True), ("-Q - 844, 845", False)])
def test_bounds_are_asked_for(program: Program, tmp_path: Path, bounds: str, holds: bool) -> None:
    found = reasons(program, tmp_path, "ml_kem_scale", ("-Q - 845, 845", bounds))
    assert (found == {""}) == holds
    assert holds or all("may be -4174" in each for each in found)


def test_a_sum_beyond_16_bits_is_not_proved(program: Program, tmp_path: Path) -> None:
    found = reasons(program, tmp_path, "ml_kem_multiply_add_lower", ("LARGEST_SUM = 8 * Q", "LARGEST_SUM = 9 * Q"))
    assert all("beyond 16 bits" in each for each in found)


@pytest.mark.parametrize("name", ["ml_kem_scale", "ml_kem_multiply_add_upper"])
def test_every_byte_has_the_value_that_the_instructions_give(program: Program, name: str) -> None:
    """The same calls with polynomials and with numbers: what is in the buffers afterwards is the same."""
    proof, trial = Proof(program), Trial(program, 1)
    KNOWN[name](proof)
    KNOWN[name](trial)
    assert proof.integers is not None
    values = {}
    for at, atom in enumerate(proof.integers.atoms):
        if f"{atom.name}.15" in trial.inputs:
            inputs = [trial.inputs[f"{atom.name}.{bit}"] for bit in range(16)]
            number = sum(bit << place for place, bit in enumerate(inputs))
            values[proof.integers.name_of(at)] = number - (number >> 15 << 16)
    for buffer in proof.buffers:
        for address in range(buffer.address, buffer.address + buffer.size):
            byte: object = proof.memory[address]
            assert isinstance(byte, Number)
            assert proof.integers.value_of(byte.value, values) == trial.memory[address], buffer.name


def test_a_word_is_known_only_within_16_bits() -> None:
    """For random sums: the word that the bytes are, or none if it may be one of more than 2^16 numbers."""
    draw = random.Random(3)
    found = 0
    for _ in range(400):
        ring = Integers()
        words = Words(ring)
        limits = [draw.choice((3, 255, 3329, 20000, 32767)) for _ in range(2)]
        values = {f"x{at}": draw.randint(-limit, limit) for at, limit in enumerate(limits)}
        one, other = (ring.input(name, -limit, limit) for name, limit in zip(values, limits, strict=True))
        number = one * draw.choice((1, -1, 5)) + other * draw.choice((1, -1, 0, 17)) + draw.choice((0, 1, 33290, -5))
        if draw.getrandbits(1):
            number = number + one * 65536 - other * (65536 * 3)  # what was carried out
        low = number - 256 * ring.floor(number, 8, Range(-(1 << 40), 1 << 40))
        high = ring.floor(number, 8, Range(-(1 << 40), 1 << 40)) - 256 * ring.floor(
            number, 16, Range(-(1 << 40), 1 << 40)
        )
        registers: list[object] = [Number(low, Range(0, 255)), Number(high, Range(0, 255))]
        word = words.number_of(*registers)
        value = ring.value_of(number, values) & 0xFFFF
        words.settle(registers, 0, draw.choice((0, 1, 2)))
        bytes_ = [ring.value_of(each.value, values) if isinstance(each, Number) else each for each in registers]
        assert bytes_ == [value & 0xFF, value >> 8]
        if word is not None:
            found += 1
            settled, bounds = word
            assert bounds.low <= ring.value_of(settled, values) <= bounds.high
            assert ring.value_of(settled, values) & 0xFFFF == value
            assert bounds.high - bounds.low < 1 << 16
    assert 100 < found < 380


def test_a_quotient_is_bounded_case_by_case() -> None:
    """A Barrett reduction, as ML-KEM's: every word gives what the bounds say, and two words reach them."""
    ring = Integers()
    words = Words(ring)
    word = ring.input("word", -31958, 31958) + 33290
    upper = ring.floor(word, 8, Range(0, 255))
    left = word - 3329 * ring.floor(20 * upper, 8, Range(0, 19))
    values = [ring.value_of(left, {"word": each}) for each in range(-31958, 31959)]
    bounds = words.range_of(left)
    assert bounds.low <= min(values) and max(values) <= bounds.high
    assert (bounds.low, bounds.high) == (min(values) & ~255, max(values) | 255) or bounds.high - max(values) < 256
