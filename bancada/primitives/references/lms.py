"""LMS (RFC 8554) with SHA-256 and 32 bytes: verification, and signatures of trees of which one leaf is real.

A real key has 2^h leaves. Verification only ever sees one leaf and the nodes beside its path. So a key here has one
leaf, and its other nodes are random. Section, table and algorithm numbers are those of RFC 8554.
"""

from __future__ import annotations

import hashlib
import random
import struct
from dataclasses import dataclass

_HASH_BYTES = 32
_IDENTIFIER_BYTES = 16
_BEGINNING_BYTES = 8 + _HASH_BYTES  # q, the type of LM-OTS, C

# Section 7.1
_D_PBLC, _D_MESG, _D_LEAF, _D_INTR = b"\x80\x80", b"\x81\x81", b"\x82\x82", b"\x83\x83"


@dataclass(frozen=True)
class _OneTime:
    """A parameter set of LM-OTS (table 1)."""

    w: int
    p: int
    ls: int


_ONE_TIME = {1: _OneTime(1, 265, 7), 2: _OneTime(2, 133, 6), 3: _OneTime(4, 67, 4), 4: _OneTime(8, 34, 0)}
_HEIGHTS = {5: 5, 6: 10, 7: 15, 8: 20, 9: 25}  # table 2


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _digits(data: bytes, w: int) -> list[int]:
    """Section 3.1.3"""
    bits = "".join(f"{byte:08b}" for byte in data)
    return [int(bits[at : at + w], 2) for at in range(0, len(bits), w)]


def _with_checksum(hashed: bytes, one_time: _OneTime) -> list[int]:
    """The digits of Q || Cksm(Q) (section 4.4)."""
    checksum = sum(2**one_time.w - 1 - digit for digit in _digits(hashed, one_time.w))
    return _digits(hashed + struct.pack(">H", checksum << one_time.ls), one_time.w)[: one_time.p]


def _walk(leaf: bytes, chain: int, value: bytes, steps: range) -> bytes:
    """Steps of a chain (algorithms 1, 3 and 4b). `leaf` is I || u32str(q)."""
    for step in steps:
        value = _hash(leaf, struct.pack(">HB", chain, step), value)
    return value


@dataclass(frozen=True)
class Key:
    """A key with one leaf."""

    lms_type: int
    ots_type: int
    identifier: bytes
    leaf: int
    starts: tuple[bytes, ...]
    path: tuple[bytes, ...]

    @property
    def public(self) -> bytes:
        """Section 5.3"""
        return self.public_with_number(2 ** _HEIGHTS[self.lms_type] + self.leaf)

    def public_with_number(self, number: int) -> bytes:
        """A public key whose tree gives the leaf's node this number. A right one has 2^h + q."""
        one_time = _ONE_TIME[self.ots_type]
        place = self.identifier + struct.pack(">I", self.leaf)
        ends = (_walk(place, i, start, range(2**one_time.w - 1)) for i, start in enumerate(self.starts))
        root = _root(self.identifier, number, _hash(place, _D_PBLC, *ends), self.path)
        return struct.pack(">II", self.lms_type, self.ots_type) + self.identifier + root

    def sign(self, message: bytes, randomizer: bytes) -> bytes:
        """A signature (algorithm 3, and section 5.4)."""
        one_time = _ONE_TIME[self.ots_type]
        place = self.identifier + struct.pack(">I", self.leaf)
        digits = _with_checksum(_hash(place, _D_MESG, randomizer, message), one_time)
        chains = (_walk(place, i, self.starts[i], range(digit)) for i, digit in enumerate(digits))
        parts = (struct.pack(">II", self.leaf, self.ots_type), randomizer, *chains)
        return b"".join((*parts, struct.pack(">I", self.lms_type), *self.path))


def random_key(lms_type: int, ots_type: int, source: random.Random) -> Key:
    """A key of random numbers."""
    one_time, height = _ONE_TIME[ots_type], _HEIGHTS[lms_type]
    return Key(
        lms_type,
        ots_type,
        source.randbytes(_IDENTIFIER_BYTES),
        source.randrange(2**height),
        tuple(source.randbytes(_HASH_BYTES) for _ in range(one_time.p)),
        tuple(source.randbytes(_HASH_BYTES) for _ in range(height)),
    )


def _root(identifier: bytes, number: int, ots_key: bytes, path: tuple[bytes, ...]) -> bytes:
    """Algorithm 6a, from step 3 on."""
    node = _hash(identifier, struct.pack(">I", number), _D_LEAF, ots_key)
    for beside in path:
        pair = (beside, node) if number % 2 else (node, beside)
        number //= 2
        node = _hash(identifier, struct.pack(">I", number), _D_INTR, *pair)
    return node


def signature_bytes(lms_type: int, ots_type: int) -> int:
    """How long a signature is."""
    return _BEGINNING_BYTES + _HASH_BYTES * (_ONE_TIME[ots_type].p + _HEIGHTS[lms_type]) + 4


def holds(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature holds (algorithms 4b and 6)."""
    lms_type, ots_type = struct.unpack(">II", public[:8])
    identifier, root = public[8:24], public[24:]
    if lms_type not in _HEIGHTS or ots_type not in _ONE_TIME or len(root) != _HASH_BYTES:
        return False
    one_time, height = _ONE_TIME[ots_type], _HEIGHTS[lms_type]
    if len(signature) != signature_bytes(lms_type, ots_type):
        return False
    leaf, stated_ots_type = struct.unpack(">II", signature[:8])
    at = _BEGINNING_BYTES + _HASH_BYTES * one_time.p
    if stated_ots_type != ots_type or signature[at : at + 4] != struct.pack(">I", lms_type) or leaf >= 2**height:
        return False
    place = identifier + signature[:4]
    digits = _with_checksum(_hash(place, _D_MESG, signature[8:_BEGINNING_BYTES], message), one_time)
    elements = tuple(
        signature[start : start + _HASH_BYTES]
        for first, count in ((_BEGINNING_BYTES, one_time.p), (at + 4, height))
        for start in range(first, first + _HASH_BYTES * count, _HASH_BYTES)
    )
    chains, path = elements[: one_time.p], elements[one_time.p :]
    ends = (
        _walk(place, i, value, range(digit, 2**one_time.w - 1))
        for i, (digit, value) in enumerate(zip(digits, chains, strict=True))
    )
    return _root(identifier, 2**height + leaf, _hash(place, _D_PBLC, *ends), path) == root
