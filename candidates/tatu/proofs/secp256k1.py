"""Sums modulo p = 2^256 - 2^32 - 977, of which ECDSA with secp256k1 is made (SEC 2, section 2.4.1)."""

from __future__ import annotations

from collections.abc import Callable

from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

PRIME = 2**256 - 2**32 - 977
# A program's instruction: the operation and the number of the result, then those of the operands; 0 ends it.
ADD, SUBTRACT = 2, 3
RESULT, ONE, OTHER = 2, 0, 1


def _sum(operation: int, sign: int) -> ProofFunction:
    """One instruction of a program, on two numbers of the state: any with 256 bits."""

    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        proof.by_cases(2)
        state = proof.numbers("the beginning of the state", 5, written=True)
        one = proof.numbers("number 0", 32, adjoins=True)
        other = proof.numbers("number 1", 32, adjoins=True)
        result = proof.room("number 2", 32)
        proof.numbers("numbers 3 to 8", 6 * 32, adjoins=True)
        program = proof.in_flash(bytes([operation << 4 | RESULT, ONE << 4 | OTHER, 0, 0]))
        proof.call("tatu_internal_secp256k1_run", state, program)
        for each in ("sign", "verify"):
            proof.shows("tatu/ecdsa-secp256k1", each, part="sums modulo p")
        proof.equal_modulo(result, one.number + sign * other.number, PRIME)

    return proved


PROOFS["secp256k1_add"] = _sum(ADD, 1)
PROOFS["secp256k1_subtract"] = _sum(SUBTRACT, -1)
