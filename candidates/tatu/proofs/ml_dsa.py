"""Transforms and products of ML-DSA's coefficients (FIPS 204, section 7.5), of which verification on an AVR is made.
The bounds of coefficients are those of the callers (ml_dsa_polynomial.h). All of these numbers are public."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.polynomial import Polynomial
from bancada.primitives.signature.algorithms.ml_dsa_44 import specification as ml_dsa
from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

Q, DEGREE = ml_dsa.Q, ml_dsa.DEGREE
# A coefficient's bytes. A Montgomery product lacks the factor R.
BYTES = 3
R = 1 << 24
# What the products of 39 positions and numbers below 2^10 come to, and more.
MOST_SPARSE = 3 << 13


def _shows(proof: Proof, part: str) -> None:
    for implementation in ("tatu/ml-dsa-44", "tatu/ml-dsa-44/pieces"):
        proof.shows(implementation, "verify", part=part)


def _ntt_half(which: int) -> ProofFunction:
    """After the first layer the halves of a polynomial have nothing to do with each other any more."""

    def proved(proof: Proof) -> None:
        proof.branches_on_public_numbers()
        _shows(proof, "the transform")
        half = proof.coefficients("half", DEGREE // 2, 0, Q - 1, written=True, size=BYTES)
        proof.call("tatu_internal_ml_dsa_ntt_half", half, which)
        proof.equal_coefficients(half, ml_dsa.ntt_half(half.coefficients, which), Q, 0, Q - 1)

    return proved


PROOFS["ml_dsa_ntt_lower_half"] = _ntt_half(0)
PROOFS["ml_dsa_ntt_upper_half"] = _ntt_half(1)


def ml_dsa_inverse_ntt(proof: Proof) -> None:
    """It brings the factor R."""
    proof.branches_on_public_numbers()
    _shows(proof, "the inverse transform")
    polynomial = proof.coefficients("polynomial", DEGREE, 0, Q - 1, written=True, size=BYTES)
    proof.call("tatu_internal_ml_dsa_inverse_ntt", polynomial)
    expected = [each * R for each in ml_dsa.inverse_ntt(polynomial.coefficients)]
    proof.equal_coefficients(polynomial, expected, Q, 0, Q - 1)


def ml_dsa_multiply_add_sampled(proof: Proof) -> None:
    """Of two samples, each of which may be below q or not: the second one has the first factor if the first one is not.
    Each sample takes the same instructions."""
    proof.branches_on_public_numbers()
    proof.by_cases(2)
    _shows(proof, "products with sampled numbers")
    total = proof.coefficients("sum", 2, 0, Q - 1, written=True, size=BYTES)
    factors = proof.coefficients("factors", 2, 0, Q - 1, size=BYTES)
    first, first_top = proof.numbers("first sample", 2), proof.numbers("its upper byte", 1, adjoins=True)
    second = proof.numbers("second sample", 2, adjoins=True)
    second_top = proof.numbers("the upper byte of the second sample", 1, adjoins=True)
    returned = proof.call("tatu_internal_ml_dsa_multiply_add_sampled", total, factors, first, 2)
    samples = [_of_23_bits(proof, low.number, top.number) for low, top in ((first, first_top), (second, second_top))]
    one, other = (proof.quotient(each - Q, 8 * BYTES) * -1 for each in samples)  # 1: it is below q
    products = [
        factors.coefficients[0] * (samples[0] * one + samples[1] * (other - one * other)),
        factors.coefficients[1] * samples[1] * (one * other),
    ]
    expected = [before + product * pow(R, -1, Q) for before, product in zip(total.coefficients, products, strict=True)]
    proof.equal_coefficients(total, expected, Q, 0, Q - 1)
    proof.equal_number("the returned number", returned, one + other)


def ml_dsa_multiply_add_sparse(proof: Proof) -> None:
    """For any four coefficients of t1 and any products, with known positions: each of 256 positions is once added,
    for the first or for the last four coefficients of a polynomial, and nearly all are subtracted for the other ones.
    x^256 is -1."""
    proof.needs_an_avr()
    _shows(proof, "products with the challenge")
    products = proof.coefficients("products", DEGREE, -MOST_SPARSE, MOST_SPARSE, written=True)
    bytes_ = [proof.numbers("byte 0 of t1", 1)]
    bytes_ += [proof.numbers(f"byte {at} of t1", 1, adjoins=True) for at in range(1, 5)]
    # 10 bits each (algorithm 18)
    pairs = [bytes_[at].number + bytes_[at + 1].number * 256 for at in range(4)]
    above = [proof.quotient(bytes_[at + 1].number, 2 * at + 2) for at in range(4)]
    numbers = [proof.quotient(pairs[at], 2 * at) - above[at] * 1024 for at in range(4)]
    expected = list(products.coefficients)
    even, odd = list(range(0, DEGREE, 2)), list(range(1, DEGREE, 2))
    for first, pluses, minuses in ((0, even, odd), (DEGREE - 4, odd, even)):
        # Counts have eight bits: the last position of all is left out once.
        signs = [(1, at) for at in pluses] + [(-1, at) for at in minuses[: 255 - len(pluses)]]
        positions = proof.known(f"positions for number {first}", bytes(at for _, at in signs))
        proof.call(
            "tatu_internal_ml_dsa_multiply_add_sparse",
            *(products, bytes_[0], first, positions, len(pluses), len(signs) - len(pluses)),
        )
        for sign, position in signs:
            for at, number in enumerate(numbers):
                place = position + first + at
                expected[place % DEGREE] += number * (sign if place < DEGREE else -sign)
    proof.equal_coefficients(products, expected, 1 << 16, -(1 << 15), (1 << 15) - 1)


def _of_23_bits(proof: Proof, low: Polynomial | int, top: Polynomial | int) -> Polynomial | int:
    """Algorithm 14: of three bytes all but the highest bit."""
    return low + (top - proof.quotient(top, 7) * 128) * (1 << 16)
