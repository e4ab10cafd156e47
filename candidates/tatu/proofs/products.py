"""Products of numbers of many bytes, of which those modulo the primes of X25519, Ed25519 and P-256 are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bancada.prove.errors import ContractBroken
from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

# What is proved of these two functions, the proofs of larger products use.
MULTIPLY_16, SQUARE_16 = "tatu_internal_multiply_16_avr", "tatu_internal_square_16_avr"

# Of P-256 and secp256k1, a product of 32 bytes by 32 and what is made on the way.
PRODUCTS = 112


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


def parts(proof: Proof, curve: str, is_square: bool) -> None:
    """Calls of what multiplies modulo p's products of 32 bytes, or squares, are not followed."""
    name = f"tatu_internal_{curve}_parts_of_{'square' if is_square else 'product'}"
    proof.product(name, 32, is_square, scratch=PRODUCTS - 64)


def _parts(curve: str, is_square: bool) -> ProofFunction:
    """The product but for what its upper quarter lacks, which is in r18; that quarter is the one of the product of the
    upper halves."""

    def proved(proof: Proof) -> None:
        proof.by_cases(2 if is_square else 3)
        proof.product(SQUARE_16 if is_square else MULTIPLY_16, 16, is_square)
        product = proof.output("product", 64)
        proof.room("room for more products", PRODUCTS - 64)
        one = proof.numbers("one", 16)
        upper = proof.numbers("the upper half of one", 16, adjoins=True)
        other, other_upper = one, upper
        if not is_square:
            other = proof.numbers("other", 16)
            other_upper = proof.numbers("the upper half of the other", 16, adjoins=True)
        pointers = {"X": (one, None), "Y": (other, product.address - other.address), "Z": (product, None)}
        if is_square:
            pointers["Y"] = (product, 0)
        name = f"tatu_internal_{curve}_parts_of_{'square' if is_square else 'product'}"
        registers = proof.call_with_pointers(name, pointers)
        for operation in ("sign", "verify"):
            proof.shows(f"tatu/ecdsa-{curve}", operation, part="the parts of products of 32 bytes")
        factors = [low.number + high.number * (1 << 128) for low, high in ((one, upper), (other, other_upper))]
        proof.equal_modulo(product, factors[0] * factors[1] - proof.value_of(registers[18]) * (1 << 384), 0)
        quarter = replace(product, name="the upper quarter", address=product.address + 48, size=16)
        proof.equal_modulo(quarter, proof.quotient(proof.product_of(upper.number, other_upper.number, 16), 128), 0)
        if registers[1] != 0:
            raise ContractBroken(f"{name} does not leave 0 in r1")

    return proved


for _curve in ("p256", "secp256k1"):
    PROOFS[f"{_curve}_parts_of_product"] = _parts(_curve, False)
    PROOFS[f"{_curve}_parts_of_square"] = _parts(_curve, True)
