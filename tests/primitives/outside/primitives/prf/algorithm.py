"""What is known of a pseudo-random function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bancada.primitives import Algorithm


@dataclass(frozen=True, kw_only=True)
class PrfAlgorithm(Algorithm):
    """`vectors` gives (name, key, message, output); `evaluate(key, message)` is the second implementation."""

    vectors: Callable[[], Iterable[tuple[str, bytes, bytes, bytes]]]
    evaluate: Callable[[bytes, bytes], bytes]

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector."""
        return any(True for _ in self.vectors())
