"""Transforms and products of ML-KEM's coefficients (FIPS 203, sections 4.3 and 4.3.1). The bounds of coefficients are
those of the callers (ml_kem_polynomial.h)."""

from __future__ import annotations

from bancada.primitives.kem.algorithms.ml_kem_512 import specification as ml_kem
from bancada.prove.proof import Proof

Q, DEGREE = ml_kem.Q, ml_kem.DEGREE
# A Montgomery product lacks this factor.
R = 1 << 16
GROUPS = 4


def _shows(proof: Proof, part: str) -> None:
    proof.needs_an_avr()
    for size in (512, 768):
        for operation in ("generate-key", "encapsulate", "decapsulate"):
            proof.shows(f"tatu/ml-kem-{size}", operation, part=part)


def ml_kem_ntt(proof: Proof) -> None:
    _shows(proof, "the transform")
    polynomial = proof.coefficients("polynomial", DEGREE, -Q, Q, written=True)
    proof.call("tatu_internal_ml_kem_ntt", polynomial)
    proof.equal_coefficients(polynomial, ml_kem.ntt(polynomial.coefficients), Q, -Q, Q)


def ml_kem_inverse_ntt(proof: Proof) -> None:
    """It brings the factor R."""
    _shows(proof, "the inverse transform")
    polynomial = proof.coefficients("polynomial", DEGREE, -4 * Q, 4 * Q, written=True)
    proof.call("tatu_internal_ml_kem_inverse_ntt", polynomial)
    expected = [each * R for each in ml_kem.inverse_ntt(polynomial.coefficients)]
    proof.equal_coefficients(polynomial, expected, Q, -Q, Q)


def ml_kem_scale(proof: Proof) -> None:
    _shows(proof, "products with a factor")
    polynomial = proof.coefficients("polynomial", DEGREE, -5 * Q, 5 * Q, written=True)
    factor = proof.word("factor", 0, Q - 1)
    proof.call("tatu_internal_ml_kem_scale", polynomial, factor)
    expected = [each * factor.number * pow(R, -1, Q) for each in polynomial.coefficients]
    proof.equal_coefficients(polynomial, expected, Q, -Q, Q)


def ml_kem_multiply_add(proof: Proof) -> None:
    """Four groups of four coefficients, as many as are sampled at once: the first and the last of a polynomial."""
    _shows(proof, "products of polynomials")
    for group in (0, 60):
        count = 4 * GROUPS
        total = proof.coefficients(f"sum from group {group}", count, -8 * Q, 8 * Q, written=True)
        one = proof.coefficients(f"one from group {group}", count, -Q, Q)
        other = proof.coefficients(f"other from group {group}", count, 0, 4095)
        proof.call("tatu_internal_ml_kem_multiply_add", total, one, other, group, GROUPS)
        expected = []
        for at in range(0, count, 2):
            product = ml_kem.multiply_pair(
                one.coefficients[at : at + 2], other.coefficients[at : at + 2], 2 * group + at // 2
            )
            expected += [
                before + each * pow(R, -1, Q)
                for before, each in zip(total.coefficients[at : at + 2], product, strict=True)
            ]
        proof.equal_coefficients(total, expected, Q, -8 * Q - 5 * Q // 4, 8 * Q + 5 * Q // 4)
