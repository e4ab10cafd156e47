"""What the laboratory knows of a keystream: its vectors, and a second implementation for random input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bancada.primitives.primitive import Algorithm

# A vector: its name, the key, the counter and nonce, the message, the ciphertext.
StreamVector = tuple[str, bytes, bytes, bytes, bytes]


@dataclass(frozen=True, kw_only=True)
class KeystreamAlgorithm(Algorithm):
    """One keystream.

    `vectors` gives the official messages, `stream(key, start, message)` a ciphertext by the second implementation,
    where `start` is the counter, of `counter_bytes` and little endian, and the nonce.
    """

    vectors: Callable[[], Iterable[StreamVector]]
    stream: Callable[[bytes, bytes, bytes], bytes]
    counter_bytes: int

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector."""
        return any(True for _ in self.vectors())
