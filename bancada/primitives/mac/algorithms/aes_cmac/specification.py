"""CMAC for proofs, as SP 800-38B describes it, section by section, with any block cipher of 16 bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.formulas.word import Word, big_endian, bytes_of, word

Cipher = Callable[[Sequence[Word]], list[Word]]
BLOCK_BYTES = 16
_R128 = 0x87  # section 5.3


def doubled(block: Sequence[Word]) -> list[Word]:
    """Section 6.1, steps 2 and 3: the block times x in GF(2^128)."""
    whole = big_endian(block)
    high = whole.bits[-1]
    reduction = Word(whole.graph, tuple(high if _R128 >> bit & 1 else 0 for bit in range(len(whole))))
    return bytes_of(whole << 1 ^ reduction)[::-1]


def first_subkey(encrypt: Cipher, zero: Word) -> list[Word]:
    """Section 6.1, steps 1 and 2: K1. `zero` is a byte of the graph that is 0."""
    return doubled(encrypt([zero] * BLOCK_BYTES))


def tag_by_first_subkey(encrypt: Cipher, subkey: Sequence[Word], message: Sequence[Word]) -> list[Word]:
    """Section 6.2, steps 2 to 6, with K1; K2 is made of it (section 6.1, step 3)."""
    graph = subkey[0].graph
    blocks = [list(message[at : at + BLOCK_BYTES]) for at in range(0, len(message), BLOCK_BYTES)] or [[]]
    last, key = blocks[-1], subkey
    if len(last) < BLOCK_BYTES:
        last = [*last, word(graph, 0x80, 8), *[word(graph, 0, 8)] * (BLOCK_BYTES - 1 - len(last))]
        key = doubled(subkey)
    blocks[-1] = [one ^ other for one, other in zip(last, key, strict=True)]
    chained = [word(graph, 0, 8)] * BLOCK_BYTES
    for block in blocks:
        chained = encrypt([one ^ other for one, other in zip(chained, block, strict=True)])
    return chained
