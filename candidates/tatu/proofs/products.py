"""Products of numbers of many bytes, of which those modulo the primes of X25519, Ed25519 and P-256 are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

# What is proved of these two functions, the proofs of larger products use.
MULTIPLY_16, SQUARE_16 = "tatu_internal_multiply_16_avr", "tatu_internal_square_16_avr"


def _shows(proof: Proof, part: str) -> None:
    for implementation, operations in (
        ("tatu/x25519", ("public-key", "shared-secret")),
        ("tatu/ed25519", ("sign", "verify")),
    ):
        for operation in operations:
            proof.shows(implementation, operation, part=part)


def multiply_16(proof: Proof) -> None:
    """16 bytes by 16, Karatsuba's of 8 bytes by 8."""
    proof.by_cases(3)
    one = proof.numbers("one", 16)
    other = proof.numbers("other", 16)
    product = proof.output("product", 32)
    proof.call_with_pointers(MULTIPLY_16, {"X": (one, 16), "Y": (other, 16), "Z": (product, 32)})
    _shows(proof, "products of 16 bytes")
    proof.equal_modulo(product, one.number * other.number, 0)


def multiply_16_over_a_factor(proof: Proof) -> None:
    """The product ends where the first factor does, as in products of 32 bytes."""
    proof.by_cases(3)
    product = proof.output("product", 16)
    one = proof.numbers("one", 16, written=True, adjoins=True)
    other = proof.numbers("other", 16)
    whole = replace(product, size=32)
    proof.call_with_pointers(MULTIPLY_16, {"X": (one, 16), "Y": (other, 16), "Z": (whole, 32)})
    _shows(proof, "products of 16 bytes over a factor")
    proof.equal_modulo(whole, one.number * other.number, 0)


def square_16(proof: Proof) -> None:
    proof.by_cases(2)
    number = proof.numbers("number", 16)
    product = proof.output("product", 32)
    proof.call_with_pointers(SQUARE_16, {"X": (number, 16), "Z": (product, 32)})
    _shows(proof, "squares of 16 bytes")
    proof.equal_modulo(product, number.number * number.number, 0)


def _product_of_32_bytes(function: str, implementation: str) -> ProofFunction:
    """32 bytes by 32, Karatsuba's of 16 bytes by 16, which are not followed."""

    def proved(proof: Proof) -> None:
        proof.by_cases(4)
        proof.product(MULTIPLY_16, 16)
        product = proof.output("product", 64)
        proof.room("room for more products", 48)
        one = proof.numbers("one", 32)
        other = proof.numbers("other", 32)
        proof.call(function, product, one, other)
        for operation in ("sign", "verify"):
            proof.shows(implementation, operation, part="products of 32 bytes")
        proof.equal_modulo(product, one.number * other.number, 0)

    return proved


PROOFS["p256_product"] = _product_of_32_bytes("tatu_internal_p256_product_avr", "tatu/ecdsa-p256")
PROOFS["secp256k1_product"] = _product_of_32_bytes("tatu_internal_secp256k1_product_avr", "tatu/ecdsa-secp256k1")
