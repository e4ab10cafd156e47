"""What the laboratory knows of a MAC: its vectors, and a second implementation for random input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bancada.primitives.primitive import Algorithm

# A vector: its name, the key, the message, the tag.
MacVector = tuple[str, bytes, bytes, bytes]


@dataclass(frozen=True, kw_only=True)
class MacAlgorithm(Algorithm):
    """One MAC.

    `vectors` gives the official vectors for a size of key, `tag(key, message)` is the second implementation.
    """

    vectors: Callable[[int], Iterable[MacVector]]
    tag: Callable[[bytes, bytes], bytes]

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector for this size of key."""
        return any(True for _ in self.vectors(key_bits))
