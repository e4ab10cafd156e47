"""What the laboratory knows of a block cipher: its vectors, and a second implementation for random input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from bancada.primitives.primitive import Algorithm

BlockFunction = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Vector:
    """One message and its ciphertext, or the other way round; `iv` is None in ECB."""

    name: str
    decrypting: bool
    key: bytes
    iv: bytes | None
    data: bytes
    expected: bytes


@dataclass(frozen=True, kw_only=True)
class BlockCipherAlgorithm(Algorithm):
    """One block cipher.

    `vectors` gives the official vectors in ECB for a size of key, `block` encryption or decryption of one block by the
    second implementation: block(key, decrypting)(data). `cbc_vectors` and `is_in_aesavs` are those of AES: vectors of
    CBC, and the Monte-Carlo tests of AESAVS 6.4.
    """

    vectors: Callable[[int], Iterable[Vector]]
    block: Callable[[bytes, bool], BlockFunction]
    cbc_vectors: Callable[[int], Iterable[Vector]] | None = None
    is_in_aesavs: bool = False

    def has_vectors(self, key_bits: int) -> bool:
        """Whether there is a vector for this size of key."""
        return any(True for _ in self.vectors(key_bits))


def both_ways(name: str, key: bytes, plaintext: bytes, ciphertext: bytes) -> tuple[Vector, Vector]:
    """One block as a vector for encryption and as one for decryption."""
    return (
        Vector(f"{name}, encrypt", False, key, None, plaintext, ciphertext),
        Vector(f"{name}, decrypt", True, key, None, ciphertext, plaintext),
    )


def in_byte_order(algorithm: BlockCipherAlgorithm, byte_order: str) -> BlockCipherAlgorithm:
    """The algorithm as it is for a library that keeps its bytes in that order; '' is the algorithm's first."""
    if not byte_order:
        return algorithm
    turn = algorithm.byte_orders[byte_order]

    def vectors(key_bits: int) -> Iterator[Vector]:
        for one in algorithm.vectors(key_bits):
            yield replace(one, key=turn(one.key), data=turn(one.data), expected=turn(one.expected))

    def block(key: bytes, decrypting: bool) -> BlockFunction:
        crypt = algorithm.block(turn(key), decrypting)
        return lambda data: turn(crypt(turn(data)))

    return replace(algorithm, vectors=vectors, block=block)
