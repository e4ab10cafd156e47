"""All estimators of SP 800-90B, section 6.3, and the least of them: section 3.1.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.entropy.collision import collision
from bancada.entropy.compression import compression
from bancada.entropy.estimate import Estimate
from bancada.entropy.lag import lag
from bancada.entropy.lz78y import lz78y
from bancada.entropy.markov import markov
from bancada.entropy.most_common import most_common
from bancada.entropy.multi_mcw import multi_mcw
from bancada.entropy.multi_mmc import multi_mmc
from bancada.entropy.tuples import tuples
from bancada.model.errors import UserError

LEAST_SAMPLES = 10_000
# What the standard asks for (section 3.1.1). The bits of samples are not looked at beyond it.
STANDARD_SAMPLES = 1_000_000


@dataclass(frozen=True)
class Assessment:
    """Min-entropy in bits a sample: the least of the estimates, and of those of single bits times the bits."""

    samples: int
    bits_per_sample: int
    of_samples: tuple[Estimate, ...]
    of_bits: tuple[Estimate, ...]
    min_entropy: float


def assess(samples: Sequence[int], bits_per_sample: int) -> Assessment:
    """UserError if there are too few samples, or one has more bits than said."""
    if len(samples) < LEAST_SAMPLES:
        raise UserError(f"{len(samples):,} samples are too few: give at least {LEAST_SAMPLES:,}")
    if max(samples) >> bits_per_sample:
        raise UserError(f"a sample is {max(samples)}, which has more than {bits_per_sample} bits: give --bits")
    if len(set(samples)) == 1:
        raise UserError("all samples have the same value: there is no entropy")
    values = sorted(set(samples))
    number_of = {value: number for number, value in enumerate(values)}
    numbers = [number_of[sample] for sample in samples]
    if len(values) == 2:
        of_samples, of_bits = _of_any(numbers, 2) + _of_bits_only(numbers), []
    else:
        of_samples = _of_any(numbers, len(values))
        wanted = STANDARD_SAMPLES // bits_per_sample + 1
        bits = [sample >> bit & 1 for sample in samples[:wanted] for bit in range(bits_per_sample - 1, -1, -1)]
        bits = bits[:STANDARD_SAMPLES]
        of_bits = [] if len(set(bits)) == 1 else _of_any(bits, 2) + _of_bits_only(bits)
    least = min(estimate.bits for estimate in of_samples)
    if of_bits:
        least = min(least, bits_per_sample * min(estimate.bits for estimate in of_bits))
    return Assessment(len(samples), bits_per_sample, _sorted(of_samples), _sorted(of_bits), least)


def _sorted(estimates: list[Estimate]) -> tuple[Estimate, ...]:
    return tuple(sorted(estimates, key=lambda estimate: int(estimate.section.rsplit(".", 1)[1])))


def _of_any(samples: Sequence[int], alphabet: int) -> list[Estimate]:
    return [
        most_common(samples),
        *tuples(samples),
        multi_mcw(samples, alphabet),
        lag(samples, alphabet),
        multi_mmc(samples, alphabet),
        lz78y(samples, alphabet),
    ]


def _of_bits_only(bits: Sequence[int]) -> list[Estimate]:
    return [collision(bits), markov(bits), compression(bits)]
