"""Words of 32 bits, of which each bit is a formula or each word a number: sums, shifts and logic."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.graph import FALSE, TRUE, Graph
from bancada.formulas.word import add, product
from bancada.prove.thumb_cpu import WORD_BITS, Flag, Word, word_bits, word_of

MASK = 0xFFFFFFFF


def bit_by_bit(operation: Callable[[int, int], int], one: Word, other: Word) -> Word:
    return word_of(tuple(map(operation, word_bits(one), word_bits(other))))


def complement(word: Word) -> Word:
    return word ^ MASK if isinstance(word, int) else tuple(bit ^ 1 for bit in word)


def logic(graph: Graph, name: str, one: Word, other: Word) -> Word:
    if name in ("bic", "orn"):
        other = complement(other)
    kind = {"and": "and", "tst": "and", "bic": "and", "orr": "or", "orn": "or", "eor": "xor", "teq": "xor"}[name]
    if isinstance(one, int) and isinstance(other, int):
        return one & other if kind == "and" else one | other if kind == "or" else one ^ other
    operation = {"and": graph.conjunction, "or": graph.disjunction, "xor": graph.difference}[kind]
    return bit_by_bit(operation, one, other)


def sum_of(graph: Graph, one: Word, other: Word, carry: int) -> tuple[Word, int, Flag]:
    """AddWithCarry: the sum, what it carries, and whether it overflows as a signed number."""
    if isinstance(one, int) and isinstance(other, int) and carry <= TRUE:
        total = one + other + carry
        result = total & MASK
        return result, total >> WORD_BITS, ((one ^ result) & (other ^ result)) >> 31 & 1
    result_bits, carries = add(graph, word_bits(one), word_bits(other), carry)
    last, before = carries[31], carries[30]
    return word_of(result_bits), last, lambda: graph.difference(before, last)


def shifted(graph: Graph, word: Word, kind: str, amount: int, carry: Flag) -> tuple[Word, Flag]:
    """Shift_C, DDI 0403, A2.2.1: the result and the carry; `amount` is below 256."""
    if kind == "rrx":
        bits = word_bits(word)
        carried = carry if isinstance(carry, int) else carry()
        return word_of((*bits[1:], carried)), bits[0]
    if amount == 0:
        return word, carry
    bits = word_bits(word)
    if kind == "ror":
        places = amount % WORD_BITS
        turned = bits[places:] + bits[:places]
        return word_of(turned), turned[31]
    if kind == "lsl":
        out = bits[WORD_BITS - amount] if amount <= WORD_BITS else FALSE
        return word_of(((FALSE,) * min(amount, WORD_BITS) + bits)[:WORD_BITS]), out
    fill = bits[31] if kind == "asr" else FALSE
    out = bits[amount - 1] if amount <= WORD_BITS else fill
    kept = bits[amount:]
    return word_of(kept + (fill,) * (WORD_BITS - len(kept))), out


def zero_flag(graph: Graph, word: Word) -> Flag:
    if isinstance(word, int):
        return int(word == 0)

    def found() -> int:
        total = TRUE
        for bit in word:
            total = graph.conjunction(total, bit ^ 1)
        return total

    return found


def truncated_product(graph: Graph, one: Word, other: Word) -> Word:
    if isinstance(one, int) and isinstance(other, int):
        return one * other & MASK
    return word_of(product(graph, word_bits(one), word_bits(other))[:WORD_BITS])


def extended(word: Word, width: int, is_signed: bool) -> Word:
    bits = word_bits(word)
    fill = bits[width - 1] if is_signed else FALSE
    return word_of(bits[:width] + (fill,) * (WORD_BITS - width))
