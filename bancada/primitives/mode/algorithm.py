"""What the laboratory knows of a mode for whole messages:

official vectors, and a second implementation for random input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed
from bancada.primitives.primitive import Algorithm


@dataclass(frozen=True)
class Sent:
    """A message and what is sent of it: IV or nonce, ciphertext, tag."""

    name: str
    key: bytes
    nonce: bytes
    associated: bytes
    plaintext: bytes
    sent: bytes


@dataclass(frozen=True, kw_only=True)
class ModeAlgorithm(Algorithm):
    """One mode.

    `vectors` gives the official vectors for a size of key; `send(key, nonce, associated, plaintext, tag_bytes)` is what
    the second implementation sends. `authenticates` says whether the mode notices changes. A mode that pads has
    `send_unpadded(key, iv, data)` of whole blocks: a receiver must refuse them if `data` does not end in padding.
    """

    vectors: Callable[[int], Iterable[Sent]]
    send: Callable[[bytes, bytes, bytes, bytes, int], bytes]
    authenticates: bool
    send_unpadded: Callable[[bytes, bytes, bytes], bytes] | None = None

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector for this size of key."""
        return any(True for _ in self.vectors(key_bits))


def mode_of_aead(
    name: str, aead: AeadAlgorithm, nonce_bytes: int, sealed: Callable[[int], Iterable[Sealed]]
) -> ModeAlgorithm:
    """The mode that sends nonce, ciphertext and tag of an AEAD; `sealed` are the vectors with nonces of that size."""

    def send(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> bytes:
        ciphertext, tag = aead.seal(key, nonce, associated, plaintext, tag_bytes)
        return nonce + ciphertext + tag

    def vectors(size: int) -> Iterator[Sent]:
        for one in sealed(size):
            sent = one.nonce + one.ciphertext + one.tag
            yield Sent(one.name, one.key, one.nonce, one.associated, one.plaintext, sent)

    return ModeAlgorithm(
        name=name,
        title=f"{aead.title} messages",
        key_bits=aead.key_bits,
        sizes={"nonce_bytes": nonce_bytes, "tag_bytes": 16},
        vectors=vectors,
        send=send,
        authenticates=True,
    )
