"""What P-256 does with its tables of points."""

from __future__ import annotations

from bancada.formulas.word import Word, bytes_of, little_endian, word
from bancada.prove.proof import Proof

ENTRIES, WORD_BYTES = 8, 4
PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
# The words of a point with three coordinates.
WORDS = 24


def p256_select(proof: Proof) -> None:
    """An entry of a table is read at an index that is secret: so all entries are."""
    proof.is_for("thumb")
    size = WORD_BYTES * WORDS
    result = proof.output("result", size, align=4)
    table = proof.secret("table", ENTRIES * size, align=4)
    index = proof.unknown("index", 3)
    proof.call("tatu_internal_p256_select", result, table, index, WORDS)
    for operation in ("sign", "verify"):
        proof.shows("tatu/ecdsa-p256", operation, part="the choice of an entry of a table")
    expected = []
    for at in range(size):
        bits = [
            proof.graph.lookup([table.words[entry * size + at].bits[bit] for entry in range(ENTRIES)], list(index.bits))
            for bit in range(8)
        ]
        expected.append(Word(proof.graph, tuple(bits)))
    proof.equal(result, expected)


def p256_negate_if(proof: Proof) -> None:
    """p less the number, or 2 p less one that is above 2^256 - 2^224; a number that is not to be negated stays. The
    number is not 0, which would count as one above."""
    proof.is_for("thumb")
    number = proof.secret("number", 32, written=True, align=4)
    negate = proof.unknown("negate", 1)
    proof.call("tatu_internal_p256_negate_if", number, negate)
    for operation in ("sign", "verify"):
        proof.shows("tatu/ecdsa-p256", operation, part="negatives modulo p")
    before = little_endian(number.words)
    # What 2^256 is above the number has no bit from 224 on.
    difference = word(proof.graph, 0, 256) - before
    is_large = 1
    for bit in difference.bits[224:]:
        is_large = proof.graph.conjunction(is_large, bit ^ 1)
    once, twice = (word(proof.graph, multiple, 257) for multiple in (PRIME, 2 * PRIME))
    negative = twice.chosen(is_large, once) - before.followed_by(word(proof.graph, 0, 1))
    proof.equal(number, bytes_of(negative.part(0, 256).chosen(negate.bits[0], before)))
