"""SipHash-2-4, from J.-P. Aumasson, D. Bernstein, "SipHash: a fast short-input PRF", 2012.

The algorithm is in sections 2.2 to 2.4, the vector in appendix A.
"""

from __future__ import annotations

from ...algorithm import PrfAlgorithm

_MASK = (1 << 64) - 1


def _rotate(word: int, count: int) -> int:
    return (word << count | word >> (64 - count)) & _MASK


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, c = (a + b) & _MASK, (c + d) & _MASK
    b, d = _rotate(b, 13) ^ a, _rotate(d, 16) ^ c
    a, c = (_rotate(a, 32) + d) & _MASK, (c + b) & _MASK
    b, d = _rotate(b, 17) ^ c, _rotate(d, 21) ^ a
    return a, b, _rotate(c, 32), d


def _siphash(key: bytes, message: bytes) -> bytes:
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    state = (k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573)
    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) & 0xFF])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        a, b, c, d = state
        a, b, c, d = _round(*_round(a, b, c, d ^ word))
        state = (a ^ word, b, c, d)
    a, b, c, d = state
    a, b, c, d = _round(*_round(*_round(*_round(a, b, c ^ 0xFF, d))))
    return (a ^ b ^ c ^ d).to_bytes(8, "little")


def _vectors() -> tuple[tuple[str, bytes, bytes, bytes], ...]:
    output = 0xA129CA6149BE45E5.to_bytes(8, "little")
    return (("SipHash paper, appendix A", bytes(range(16)), bytes(range(15)), output),)


ALGORITHM = PrfAlgorithm(
    name="siphash",
    title="SipHash-2-4",
    key_bits=(128,),
    sizes={"digest_bytes": 8},
    vectors=_vectors,
    evaluate=_siphash,
)
