"""What P-256 and secp256k1 do on a Cortex-M4 with tables of points, and negatives modulo p."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.word import Word, bytes_of, little_endian, word
from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

ENTRIES, WORD_BYTES = 8, 4
# The words of a point with three coordinates.
WORDS = 24
P256, SECP256K1 = 2**256 - 2**224 + 2**192 + 2**96 - 1, 2**256 - 2**32 - 977


def _shows(proof: Proof, curve: str, part: str) -> None:
    for operation in ("sign", "verify"):
        proof.shows(f"tatu/ecdsa-{curve}", operation, part=part)


def _select(curve: str) -> ProofFunction:
    """An entry of a table is read at an index that is secret: so all entries are."""

    def proved(proof: Proof) -> None:
        proof.is_for("thumb")
        size = WORD_BYTES * WORDS
        result = proof.output("result", size, align=4)
        table = proof.secret("table", ENTRIES * size, align=4)
        index = proof.unknown("index", 3)
        proof.call(f"tatu_internal_{curve}_select", result, table, index, WORDS)
        _shows(proof, curve, "the choice of an entry of a table")
        expected = []
        for at in range(size):
            bytes_ = [table.words[entry * size + at] for entry in range(ENTRIES)]
            bits = [proof.graph.lookup([each.bits[bit] for each in bytes_], list(index.bits)) for bit in range(8)]
            expected.append(Word(proof.graph, tuple(bits)))
        proof.equal(result, expected)

    return proved


def _negate_if(curve: str, prime: int, is_large: Callable[[Proof, Word], int]) -> ProofFunction:
    """p less the number, or 2 p less a large one; a number that is not to be negated stays. The number is not 0, which
    would count as a large one."""

    def proved(proof: Proof) -> None:
        proof.is_for("thumb")
        number = proof.secret("number", 32, written=True, align=4)
        negate = proof.unknown("negate", 1)
        proof.call(f"tatu_internal_{curve}_negate_if", number, negate)
        _shows(proof, curve, "negatives modulo p")
        before = little_endian(number.words)
        once, twice = (word(proof.graph, multiple, 257) for multiple in (prime, 2 * prime))
        negative = twice.chosen(is_large(proof, before), once) - before.followed_by(word(proof.graph, 0, 1))
        proof.equal(number, bytes_of(negative.part(0, 256).chosen(negate.bits[0], before)))

    return proved


def _has_little_above(proof: Proof, number: Word) -> int:
    """What 2^256 is above the number has no bit from 224 on."""
    found = 1
    for bit in (word(proof.graph, 0, 256) - number).bits[224:]:
        found = proof.graph.conjunction(found, bit ^ 1)
    return found


def _has_less_above(proof: Proof, number: Word) -> int:
    """What 2^256 is above the number is less than 2^256 - p."""
    above = (word(proof.graph, 0, 256) - number).followed_by(word(proof.graph, 0, 1))
    return (above - word(proof.graph, 2**256 - SECP256K1, 257)).bits[256]


PROOFS["p256_select"] = _select("p256")
PROOFS["secp256k1_select"] = _select("secp256k1")
PROOFS["p256_negate_if"] = _negate_if("p256", P256, _has_little_above)
PROOFS["secp256k1_negate_if"] = _negate_if("secp256k1", SECP256K1, _has_less_above)
