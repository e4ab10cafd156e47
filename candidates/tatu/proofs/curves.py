"""Numbers modulo p on an AVR, of which ECDSA with P-256 (FIPS 186-5) and with secp256k1 (SEC 2, section 2.4.1) is made:
each is an instruction of a program (../../../tatu/src/weierstrass/avr/field.inc)."""

from __future__ import annotations

from collections.abc import Callable

from bancada.prove.proof import Proof
from bancada.prove.records import Buffer

from .products import PRODUCTS, parts

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

PRIMES = {"p256": 2**256 - 2**224 + 2**192 + 2**96 - 1, "secp256k1": 2**256 - 2**32 - 977}
# What a product lacks: P-256's is Montgomery's.
FACTORS = {"p256": pow(2, -256, PRIMES["p256"]), "secp256k1": 1}
HAVE_SIGNS = {"p256": True, "secp256k1": False}
# A program's instruction: the operation and the number of the result, then those of the operands; 0 ends it.
MULTIPLY, ADD, SUBTRACT, SQUARE, SQUARE_REPEATEDLY = 1, 2, 3, 4, 5
RESULT, ONE, OTHER = 2, 0, 1


def _run(proof: Proof, curve: str, operation: int, part: str) -> tuple[Buffer, Buffer, Buffer]:
    """One instruction of a program, on two numbers of the state, any with 256 bits: the result and these. The number
    that is squared repeatedly is the result itself; it is squared once, and each further time in the same way."""
    state = proof.numbers("the beginning of the state", 5, written=True)
    one = proof.numbers("number 0", 32, adjoins=True)
    other = proof.numbers("number 1", 32, adjoins=True)
    operands = ONE << 4 | OTHER
    if operation == SQUARE_REPEATEDLY:
        operands = 1
        result = one = proof.numbers("number 2", 32, written=True, adjoins=True)
    else:
        result = proof.room("number 2", 32)
    proof.numbers("numbers 3 to 8", 6 * 32, adjoins=True)
    proof.room("products", PRODUCTS)
    program = proof.in_flash(bytes([operation << 4 | RESULT, operands, 0, 0]))
    proof.call(f"tatu_internal_{curve}_run", state, program)
    for each in ("sign", "verify"):
        proof.shows(f"tatu/ecdsa-{curve}", each, part=part)
    return result, one, other


def _sum(curve: str, operation: int, sign: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        proof.by_cases(2)
        result, one, other = _run(proof, curve, operation, "sums modulo p")
        proof.equal_modulo(result, one.number + sign * other.number, PRIMES[curve])

    return proved


def _product(curve: str, operation: int) -> ProofFunction:
    """With the product of 32 bytes by 32 not followed: this is the reduction. Whether p, or 2^256 - p, is taken or
    added once more is a case."""

    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        proof.by_cases(1)
        is_square = operation != MULTIPLY
        if HAVE_SIGNS[curve]:
            proof.carries_have_signs()
        parts(proof, curve, is_square)
        result, one, other = _run(proof, curve, operation, "products modulo p")
        product = one.number * (one if is_square else other).number
        proof.equal_modulo(result, product * FACTORS[curve], PRIMES[curve])

    return proved


for _curve in PRIMES:
    PROOFS[f"{_curve}_add"] = _sum(_curve, ADD, 1)
    PROOFS[f"{_curve}_subtract"] = _sum(_curve, SUBTRACT, -1)
    PROOFS[f"{_curve}_multiply"] = _product(_curve, MULTIPLY)
    PROOFS[f"{_curve}_square"] = _product(_curve, SQUARE)
    PROOFS[f"{_curve}_square_repeatedly"] = _product(_curve, SQUARE_REPEATEDLY)
