"""Signatures of LMS_SHA256_M32_H10 with LMOTS_SHA256_N32_W4 (RFC 8554): what the bootloader verifies.

Section and algorithm numbers are those of RFC 8554. A leaf that signs two messages gives its key away: who calls `sign`
is responsible for that (`signing_key.py`).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass

HASH_BYTES = 32
IDENTIFIER_BYTES = 16
SEED_BYTES = 32

LMS_TYPE, OTS_TYPE = 6, 3
HEIGHT = 10
LEAVES = 2**HEIGHT
CHAINS = 67
_LARGEST_DIGIT = 15
_CHECKSUM_SHIFT = 4

# Section 7.1
_D_PBLC, _D_MESG, _D_LEAF, _D_INTR = b"\x80\x80", b"\x81\x81", b"\x82\x82", b"\x83\x83"


@dataclass(frozen=True)
class SecretKey:
    """What all one-time keys are derived from (appendix A)."""

    identifier: bytes
    seed: bytes


@dataclass(frozen=True)
class Signature:
    """A signature (section 5.4) without its two types, which are always the same."""

    leaf: int
    randomizer: bytes
    chains: tuple[bytes, ...]
    path: tuple[bytes, ...]

    def encoded(self) -> bytes:
        """As RFC 8554 has it."""
        head = struct.pack(">II", self.leaf, OTS_TYPE) + self.randomizer
        return b"".join((head, *self.chains, struct.pack(">I", LMS_TYPE), *self.path))


def public_key(identifier: bytes, root: bytes) -> bytes:
    """Section 5.3"""
    return struct.pack(">II", LMS_TYPE, OTS_TYPE) + identifier + root


def leaf_nodes(key: SecretKey) -> tuple[bytes, ...]:
    """The lowest nodes of the tree (section 5.3), a million hashes."""
    return tuple(leaf_node(key, leaf) for leaf in range(LEAVES))


def leaf_node(key: SecretKey, leaf: int) -> bytes:
    """One of the lowest nodes (section 5.3)."""
    place = key.identifier + struct.pack(">I", leaf)
    ends = (_walk(place, i, _start(key, place, i), _LARGEST_DIGIT) for i in range(CHAINS))
    one_time_key = _hash(place, _D_PBLC, *ends)
    return _hash(key.identifier, struct.pack(">I", LEAVES + leaf), _D_LEAF, one_time_key)


def root_of(key: SecretKey, leaves: Sequence[bytes]) -> bytes:
    """The root above these leaves."""
    return _levels(key.identifier, leaves)[-1][0]


def sign(key: SecretKey, leaves: Sequence[bytes], leaf: int, randomizer: bytes, message: bytes) -> Signature:
    """Algorithms 3 and 5. The same leaf may only ever sign the same message with the same randomizer."""
    place = key.identifier + struct.pack(">I", leaf)
    digits = _digits(_hash(place, _D_MESG, randomizer, message))
    chains = tuple(_walk(place, i, _start(key, place, i), digit) for i, digit in enumerate(digits))
    path = tuple(level[(leaf >> height) ^ 1] for height, level in enumerate(_levels(key.identifier, leaves)[:-1]))
    return Signature(leaf, randomizer, chains, path)


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _digits(hashed: bytes) -> list[int]:
    """Those of Q || Cksm(Q) (section 4.4)."""
    digits = [part for byte in hashed for part in (byte >> 4, byte & 15)]
    checksum = sum(_LARGEST_DIGIT - digit for digit in digits) << _CHECKSUM_SHIFT
    return [*digits, checksum >> 12, checksum >> 8 & 15, checksum >> 4 & 15]


def _start(key: SecretKey, place: bytes, chain: int) -> bytes:
    """Appendix A"""
    return _hash(place, struct.pack(">HB", chain, 0xFF), key.seed)


def _walk(place: bytes, chain: int, value: bytes, end: int) -> bytes:
    """A chain from its start (algorithm 3, step 3)."""
    beginning = place + struct.pack(">H", chain)
    for step in range(end):
        value = hashlib.sha256(beginning + bytes((step,)) + value).digest()
    return value


def _levels(identifier: bytes, leaves: Sequence[bytes]) -> list[Sequence[bytes]]:
    """All nodes, from the leaves up to the root."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        below = levels[-1]
        half = len(below) // 2
        pairs = ((half + i, below[2 * i], below[2 * i + 1]) for i in range(half))
        levels.append([_hash(identifier, struct.pack(">I", node), _D_INTR, *both) for node, *both in pairs])
    return levels
