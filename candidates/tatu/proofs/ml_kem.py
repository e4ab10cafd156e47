"""Transforms and products of ML-KEM's coefficients (FIPS 203, sections 4.3 and 4.3.1). The bounds of coefficients are
those of the callers (ml_kem_polynomial.h)."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.word import Word, little_endian
from bancada.primitives.kem.algorithms.ml_kem_512 import specification as ml_kem
from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

Q, DEGREE = ml_kem.Q, ml_kem.DEGREE
# So many coefficients get noise at once.
NOISE = 32
# A Montgomery product lacks this factor.
R = 1 << 16
# Far above what noise and three products make of a sum.
LARGEST_SUM = 8 * Q


def _shows(proof: Proof, part: str) -> None:
    for size in (512, 768):
        for operation in ("make-key", "encapsulate", "decapsulate"):
            proof.shows(f"tatu/ml-kem-{size}", operation, part=part)
        proof.shows(f"tatu/ml-kem-{size}/pieces", "encapsulate", part=part)


def ml_kem_ntt(proof: Proof) -> None:
    proof.needs_an_avr()
    _shows(proof, "the transform")
    polynomial = proof.coefficients("polynomial", DEGREE, -Q, Q, written=True)
    proof.call("tatu_internal_ml_kem_ntt", polynomial)
    proof.equal_coefficients(polynomial, ml_kem.ntt(polynomial.coefficients), Q, -Q, Q)


def ml_kem_inverse_ntt(proof: Proof) -> None:
    """It brings the factor R."""
    proof.needs_an_avr()
    _shows(proof, "the inverse transform")
    polynomial = proof.coefficients("polynomial", DEGREE, -4 * Q, 4 * Q, written=True)
    proof.call("tatu_internal_ml_kem_inverse_ntt", polynomial)
    expected = [each * R for each in ml_kem.inverse_ntt(polynomial.coefficients)]
    proof.equal_coefficients(polynomial, expected, Q, -Q - 300, Q)


def ml_kem_scale(proof: Proof) -> None:
    proof.needs_an_avr()
    _shows(proof, "products with a factor")
    polynomial = proof.coefficients("polynomial", DEGREE, -5 * Q, 5 * Q, written=True)
    factor = proof.word("factor", 0, Q - 1)
    proof.call("tatu_internal_ml_kem_scale", polynomial, factor)
    expected = [each * factor.number * pow(R, -1, Q) for each in polynomial.coefficients]
    proof.equal_coefficients(polynomial, expected, Q, -Q - 845, 845)


def _multiply_add(first_group: int) -> ProofFunction:
    """32 groups of four coefficients, a half of each polynomial: both halves are all factors that there are."""

    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        _shows(proof, "products of polynomials")
        count = DEGREE // 2
        total = proof.coefficients("sum", count, -LARGEST_SUM, LARGEST_SUM, written=True)
        one = proof.coefficients("one", count, -Q, Q)
        other = proof.coefficients("other", count, 0, 4095)
        proof.call("tatu_internal_ml_kem_multiply_add", total, one, other, first_group, count // 4)
        expected = []
        for at in range(0, count, 2):
            pair = slice(at, at + 2)
            product = ml_kem.multiply_pair(one.coefficients[pair], other.coefficients[pair], 2 * first_group + at // 2)
            expected += [
                before + each * pow(R, -1, Q) for before, each in zip(total.coefficients[pair], product, strict=True)
            ]
        most = LARGEST_SUM + 5 * Q // 4
        proof.equal_coefficients(total, expected, Q, -most, most)

    return proved


PROOFS["ml_kem_multiply_add_lower"] = _multiply_add(0)
PROOFS["ml_kem_multiply_add_upper"] = _multiply_add(DEGREE // 8)


def _add_noise(eta: int) -> ProofFunction:
    """Coefficients grow by numbers of the centred binomial distribution (algorithm 8): eta bits less the next eta. The
    bits are those of lanes, of which the even bits are one word and the odd bits another."""

    def proved(proof: Proof) -> None:
        proof.is_for("thumb")
        coefficients = proof.secret("coefficients", 2 * NOISE, written=True, align=4)
        lanes = proof.secret("lanes", 2 * NOISE * eta // 8, align=4)
        proof.call(f"tatu_internal_ml_kem_add_noise_{eta}_interleaved", coefficients, lanes)
        _shows(proof, "noise")
        words = [little_endian(lanes.words[at : at + 4]) for at in range(0, lanes.size, 4)]
        pairs = zip(words[::2], words[1::2], strict=True)
        bits = [bit for even, odd in pairs for pair in zip(even.bits, odd.bits, strict=True) for bit in pair]
        expected: list[Word] = []
        for at in range(NOISE):
            number = little_endian(coefficients.words[2 * at : 2 * at + 2])
            first = 2 * eta * at
            for place in range(first, first + 2 * eta):
                bit = Word(proof.graph, (bits[place], *(0,) * 15))
                number = number + bit if place < first + eta else number - bit
            expected += [number.part(0, 8), number.part(8, 8)]
        proof.equal(coefficients, expected)

    return proved


for _eta in (2, 3):
    PROOFS[f"ml_kem_add_noise_{_eta}"] = _add_noise(_eta)
