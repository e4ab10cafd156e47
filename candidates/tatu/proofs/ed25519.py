"""Ed25519: its sums modulo 2^255 - 19."""

from __future__ import annotations

from collections.abc import Callable

from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}


# RFC 7748, section 4.1.
CURVE25519_PRIME = 2**255 - 19


def _ed25519_sum(function: str, sign: int) -> ProofFunction:
    """Of two of the seven numbers in the state (`struct tatu_internal_ed25519_state`), any with 256 bits."""

    def proved(proof: Proof) -> None:
        state = proof.numbers("the beginning of the state", 3)
        one = proof.numbers("number 0", 32, adjoins=True)
        other = proof.numbers("number 1", 32, adjoins=True)
        result = proof.room("number 2", 32)
        proof.numbers("numbers 3 to 6", 4 * 32, adjoins=True)
        proof.call(function, state, 3 + 2 * 32, 3, 3 + 32)
        for operation in ("sign", "verify"):
            proof.shows("tatu/ed25519", operation, part="sums modulo 2^255 - 19")
        proof.equal_modulo(result, one.number + sign * other.number, CURVE25519_PRIME)

    return proved


PROOFS["ed25519_add"] = _ed25519_sum("tatu_internal_field25519_add_avr", 1)
PROOFS["ed25519_subtract"] = _ed25519_sum("tatu_internal_field25519_subtract_avr", -1)
