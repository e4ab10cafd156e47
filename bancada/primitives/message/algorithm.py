"""What a sender's packet must be:

Protocol Buffers' encoding, and the second implementations of a hash and a signature.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from bancada.primitives.hash.algorithm import HashAlgorithm
from bancada.primitives.primitive import Algorithm
from bancada.primitives.signature.algorithm import KeyPair, SignatureAlgorithm

# Field 1 with a length in front of it: (1 << 3) | 2 (Protocol Buffers, "Encoding", "Message Structure").
_FIELD_1_TEXT = 0x0A


def serialised(text: bytes) -> bytes:
    """message Reading { string data = 1; } of a text shorter than 128 bytes."""
    assert len(text) < 128
    return bytes([_FIELD_1_TEXT, len(text)]) + text


@dataclass(frozen=True, kw_only=True)
class MessageAlgorithm(Algorithm):
    """A hash, and the signature of it if messages are signed."""

    hash: HashAlgorithm
    signature: SignatureAlgorithm | None

    @property
    def signature_bytes(self) -> int:
        """Size of a packet's signature."""
        return self.signature.signature_bytes if self.signature else 0

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there are vectors of the hash and of the signature: a packet itself has none."""
        return self.hash.has_vectors(0) and (self.signature is None or self.signature.has_vectors(key_bits))

    def keys(self, source: random.Random) -> KeyPair:
        """A random key pair; an empty one if messages are not signed."""
        return self.signature.key_pair(source) if self.signature else KeyPair(b"", b"")

    def sign(self, pair: KeyPair, message: bytes) -> bytes:
        """The signature of a serialised message, the same one in every run; nothing if messages are not signed."""
        if self.signature is None:
            return b""
        digest = self.hash.digest(message)
        return self.signature.sign_as(pair, digest, random.Random(digest), self.hash.hashlib_name)

    def holds(self, pair: KeyPair, message: bytes, made: bytes) -> bool:
        """Whether the signature of a serialised message holds."""
        assert self.signature is not None
        digest = self.hash.digest(message)
        return self.signature.holds_as(pair.public, digest, made, self.hash.hashlib_name)

    def packet(self, text: bytes, pair: KeyPair) -> bytes:
        """The packet of a text."""
        message = serialised(text)
        return message + self.hash.digest(message) + self.sign(pair, message)


def message(hashed: HashAlgorithm, signed: SignatureAlgorithm | None = None) -> MessageAlgorithm:
    """Messages with that hash, signed or not."""
    return MessageAlgorithm(
        name=f"message-{hashed.name}" + (f"+{signed.name}" if signed else ""),
        title=hashed.title + (f" + {signed.title}" if signed else ""),
        key_bits=signed.key_bits if signed else (0,),
        sizes={"digest_bytes": 32},
        hash=hashed,
        signature=signed,
    )
