"""One library's figures for a block, by the study's names of the ciphers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.model.result import Result
from bancada.model.status import Status
from bancada.studies.study import Evidence

VARIANTS = ("plain", "small", "tiny")
KEYS = (128, 192, 256)
_OWN = "tatu"
# The Arduino IDE compiles so.
_STUDY_LEVEL = "-Os"
# What the Arduino IDE calls dynamic memory: static RAM, where a sketch has its contexts too. No field of a result.
SRAM = "sram_bytes"


def _value(result: Result, field: str) -> float | None:
    if field != SRAM:
        return result.number(field)
    static, context = result.ram_static_bytes, result.ram_context_bytes
    return None if static is None or context is None else static + context


def study_library(evidence: Evidence) -> str | None:
    """The candidate that is the study's own library: the first of the experiment's, if it is not ours."""
    first = evidence.experiment.candidates[0]
    return None if first == _OWN else first


def name_of(algorithm: str, variant: str, bits: int) -> str:
    """As the study names a cipher: Speck Small 128."""
    words = (
        "Speck" if algorithm == "speck128" else "AES",
        "" if variant == "plain" else variant.capitalize(),
        str(bits),
    )
    return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Blocks:
    """One library's results for a block."""

    results: Sequence[Result]
    candidate: str | None
    # None: the best of all levels.
    optimisation: str | None = None

    def least(
        self, algorithm: str, variant: str, operation: str, key_bits: int = 128, field: str = "time_us"
    ) -> float | None:
        """The least of the levels."""
        found = [
            value
            for result in self.results
            if result.status is Status.OK
            and result.candidate == self.candidate
            and self.optimisation in (None, result.optimisation)
            and (result.algorithm, result.variant, result.operation, result.key_bits)
            == (algorithm, variant, operation, key_bits)
            and (value := _value(result, field)) is not None
        ]
        return min(found, default=None)

    def by(self, operation: str, field: str) -> dict[str, float]:
        """Every cipher that the library has, by the study's name, the least first. The study's Tiny do not decrypt."""
        found = {
            name_of(algorithm, variant, bits): value
            for algorithm in ("aes", "speck128")
            for variant in VARIANTS
            for bits in KEYS
            if not (operation == "decrypt" and variant == "tiny")
            and (value := self.least(algorithm, variant, operation, bits, field)) is not None
        }
        return dict(sorted(found.items(), key=lambda one: one[1]))

    def winners(self, operation: str, field: str) -> tuple[list[str], float]:
        """The ciphers that take least, all that tie, and how much that is."""
        found = self.by(operation, field)
        value = min(found.values(), default=0.0)
        return [name for name, one in found.items() if one == value], value


def studys_blocks(evidence: Evidence) -> Blocks:
    """Of the study's own library, as the Arduino IDE compiles it."""
    return Blocks(evidence.results, study_library(evidence), _STUDY_LEVEL)


def our_blocks(evidence: Evidence) -> Blocks:
    """Of Tatu."""
    return Blocks(evidence.results, _OWN)
