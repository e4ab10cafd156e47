"""Sums and differences of long numbers, of which RSA with 2,048 bits is made (RFC 8017, section 5.2.2), and a step of a
Montgomery multiplication, of which RSA with 3,072 bits is."""

from __future__ import annotations

from collections.abc import Callable

from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

BYTES = 256
# The lengths that RSA with 2,048 bits has, in units of eight bytes: a digit of 64 bytes, and a product of two.
DIGIT, TWO_DIGITS = 8, 16
LIMBS = 16
LIMB_BITS = 32


def _shows(proof: Proof, part: str) -> None:
    for padding in ("pkcs1", "pss"):
        proof.shows(f"tatu/rsa2048-{padding}", "verify", part=part)


def _sum(function: str, sign: int, eighths: int) -> ProofFunction:
    """Exact with the carry or the borrow that the function returns."""

    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        size = 8 * eighths
        number = proof.numbers("number", size, written=True)
        other = proof.numbers("other", size)
        carry = proof.call(function, number, other, eighths)
        _shows(proof, "sums of long numbers")
        if sign > 0:
            proof.equal_modulo(number, number.number + other.number, 0, returned=carry)
        else:
            # As the byte above it, a borrow makes the difference 2^(8 size) too large, twice.
            borrow = proof.quotient(number.number - other.number, 8 * size) * -1
            difference = number.number - other.number
            proof.equal_modulo(number, difference + borrow * (2 << 8 * size), 0, returned=carry)

    return proved


for _name, _sign in (("add", 1), ("subtract", -1)):
    for _length in (DIGIT, TWO_DIGITS):
        PROOFS[f"rsa_{_name}_{8 * _length}"] = _sum(f"tatu_internal_rsa_{_name}", _sign, _length)


def rsa_subtract_multiple(proof: Proof) -> None:
    proof.needs_an_avr()
    number = proof.numbers("number", BYTES + 1, written=True)
    modulus = proof.numbers("modulus", BYTES, big_endian=True)
    factor = proof.number("factor")
    proof.call("tatu_internal_rsa_subtract_multiple", number, modulus.address + BYTES, factor)
    _shows(proof, "differences of a number and a multiple of the modulus")
    proof.equal_modulo(number, number.number - factor.number * modulus.number, 1 << 8 * (BYTES + 1))


def rsa_add_products(proof: Proof) -> None:
    """Of 16 limbs; each limb takes the same instructions. The lowest limb of the sum, which the caller's factor makes
    zero, is dropped: whatever it is, what is left is the sum divided by 2^32 and rounded down."""
    proof.needs_an_avr()
    product = proof.numbers("product", 4 * LIMBS, written=True)
    b = proof.numbers("b", 4 * LIMBS)
    modulus = proof.numbers("modulus", 4 * LIMBS)
    factor = proof.numbers("factor of b", 4)
    quotient = proof.numbers("factor of the modulus", 4, adjoins=True)
    above = proof.number("the bit above the product", 1)
    returned = proof.call("tatu_internal_rsa_add_products", product, b, modulus, factor, LIMBS, above)
    total = product.number + factor.number * b.number + quotient.number * modulus.number
    total = total + above.number * (1 << LIMB_BITS * LIMBS)
    proof.equal_modulo(product, proof.quotient(total, LIMB_BITS), 0, returned=returned)
