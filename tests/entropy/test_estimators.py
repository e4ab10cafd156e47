"""The estimators against the worked examples of NIST SP 800-90B, section 6.3, and sources whose entropy is known."""

from __future__ import annotations

import random
from itertools import combinations
from math import log2

import pytest

from bancada.entropy.assess import LEAST_SAMPLES, assess
from bancada.entropy.collision import collision
from bancada.entropy.compression import compression
from bancada.entropy.lag import lag
from bancada.entropy.lz78y import lz78y
from bancada.entropy.markov import markov
from bancada.entropy.most_common import most_common
from bancada.entropy.multi_mcw import multi_mcw
from bancada.entropy.multi_mmc import multi_mmc
from bancada.entropy.repeats import repeats
from bancada.entropy.tuples import tuples
from bancada.model.errors import UserError

BITS = [int(bit) for bit in "1000111001010101110011000111001010101110"]
TERNARY = [int(value) for value in "220102012120121001000"]


def from_one(text: str) -> list[int]:
    """An example whose alphabet is {1, 2, 3}, from 0 on."""
    return [int(value) - 1 for value in text]


def test_example_of_6_3_1() -> None:
    assert most_common([int(value) for value in "01120122010110221021"]).bits == pytest.approx(0.5363, abs=5e-5)


def test_example_of_6_3_2() -> None:
    assert collision(BITS).bits == pytest.approx(0.4483, abs=5e-5)


def test_example_of_6_3_3() -> None:
    assert markov(BITS).bits == pytest.approx(0.761, abs=5e-4)


def test_example_of_6_3_4() -> None:
    """With four blocks in the dictionary at first."""
    assert compression([*BITS, 1, 1, 1, 0, 0, 0, 1, 1], dictionary_blocks=4).bits == pytest.approx(0.1345, abs=5e-5)


def test_examples_of_6_3_5_and_6_3_6() -> None:
    """With a cutoff of 3."""
    t_tuple, lrs = tuples(TERNARY, cutoff=3)
    assert t_tuple.bits == pytest.approx(0.273, abs=5e-4)
    assert lrs.bits == pytest.approx(0.6146, abs=5e-5)


def test_example_of_6_3_7() -> None:
    """With windows of 3, 5, 7 and 9."""
    found = multi_mcw([int(value) for value in "121021122000"], 3, windows=(3, 5, 7, 9))
    assert found.bits == pytest.approx(0.3909, abs=1e-4)


def test_example_of_6_3_8() -> None:
    assert lag(from_one("2132131312"), 3, lags=3).bits == pytest.approx(0.735, abs=5e-4)


def test_example_of_6_3_9() -> None:
    assert multi_mmc(from_one("213213131"), 3, orders=3).bits == pytest.approx(0.0755, abs=5e-5)


def test_example_of_6_3_10() -> None:
    assert lz78y(from_one("2132131312132"), 3, longest=4).bits == pytest.approx(0.0191, abs=5e-5)


@pytest.mark.parametrize("seed", range(20))
def test_repeats_are_those_that_one_counts(seed: int) -> None:
    chance = random.Random(seed)
    samples = [chance.randrange(1 + seed % 3) for _ in range(40)]
    expected = []
    for length in range(1, len(samples)):
        found = [tuple(samples[i : i + length]) for i in range(len(samples) - length + 1)]
        pairs = sum(one == other for one, other in combinations(found, 2))
        if pairs:
            expected.append((max(map(found.count, found)), pairs))
    assert repeats(samples) == expected


def test_an_ideal_source_has_nearly_all() -> None:
    found = assess(random.Random(1).randbytes(LEAST_SAMPLES), 8)
    assert 5.5 < found.min_entropy < 8
    assert len(found.of_samples) == 7
    assert len(found.of_bits) == 10


@pytest.mark.parametrize("likely", [0.6, pytest.param(0.75, marks=pytest.mark.slow), 0.9])
def test_no_estimate_of_biased_bits_is_much_above_their_entropy(likely: float) -> None:
    chance = random.Random(2)
    found = assess([int(chance.random() < likely) for _ in range(20_000)], 1)
    assert [estimate.section for estimate in found.of_samples] == [f"6.3.{number}" for number in range(1, 11)]
    assert found.min_entropy < -log2(likely) + 0.01
    assert found.min_entropy > -log2(likely) / 2


@pytest.mark.parametrize("period", [2, pytest.param(5, marks=pytest.mark.slow), 100])
def test_a_source_that_repeats_has_none(period: int) -> None:
    samples = (random.Random(3).randbytes(period - 1) + b"\xa7") * (LEAST_SAMPLES // period)
    assert assess(samples, 8).min_entropy < 0.01


def test_a_beat_has_none() -> None:
    """The oscillator without jitter that the health tests of the standard pass."""
    assert assess([int((i + 1) * 0.4142) - int(i * 0.4142) for i in range(20_000)], 1).min_entropy < 0.05


@pytest.mark.parametrize(
    ("samples", "bits", "message"),
    [
        (bytes(range(100)), 8, "100 samples are too few"),
        (bytes([0, 4] * LEAST_SAMPLES), 2, "a sample is 4, which has more than 2 bits"),
        (bytes([4] * LEAST_SAMPLES), 8, "all samples have the same value"),
    ],
)
def test_what_cannot_be_assessed_is_refused(samples: bytes, bits: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        assess(samples, bits)
