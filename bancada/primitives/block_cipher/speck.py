"""What Speck-64 and Speck-128 have in common: two byte orders, the designers' vectors, and the second implementation.

The paper prints words of hexadecimal digits, the first word first; libraries that take these digits for bytes have the
order "paper". The designers' "Simon and Speck Implementation Guide", 2019, section 3, has words little endian and the
second word first. One is the other read backwards, in keys and in blocks.
"""

from __future__ import annotations

from collections.abc import Mapping

from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm, BlockFunction, Vector, both_ways
from bancada.primitives.references.speck import Speck


def _as_it_is(data: bytes) -> bytes:
    return data


def _backwards(data: bytes) -> bytes:
    return data[::-1]


def speck(
    name: str, title: str, word_bits: int, key_bits: tuple[int, ...], printed: Mapping[int, tuple[str, str, str]]
) -> BlockCipherAlgorithm:
    """Speck with words of that size.

    `printed` is the paper's appendix C: key, plaintext, ciphertext of a size of key.
    """

    def vectors(size: int) -> tuple[Vector, ...]:
        key, plaintext, ciphertext = (_backwards(bytes.fromhex(text)) for text in printed[size])
        return both_ways(f"designers' vector {name} with a {size}-bit key", key, plaintext, ciphertext)

    def block(key: bytes, decrypting: bool) -> BlockFunction:
        cipher = Speck(word_bits, key)
        return cipher.decrypt if decrypting else cipher.encrypt

    return BlockCipherAlgorithm(
        name=name,
        title=title,
        key_bits=key_bits,
        sizes={"block_bytes": word_bits // 4},
        byte_orders={"guide": _as_it_is, "paper": _backwards},
        vectors=vectors,
        block=block,
    )
