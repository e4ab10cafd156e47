"""Numbers modulo 2^255 - 19, for X25519 and Ed25519 (RFC 7748, section 4.1)."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.word import Word, bytes_of, little_endian
from bancada.prove.proof import Proof
from bancada.prove.records import Buffer

from .products import MULTIPLY_16, SQUARE_16

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

PRIME = 2**255 - 19
# Where numbers 0, 1 and 2 are in `struct tatu_internal_ed25519_state`.
NUMBER_0, NUMBER_1, NUMBER_2 = 3, 3 + 32, 3 + 2 * 32


def _state(proof: Proof) -> tuple[Buffer, Buffer, Buffer, Buffer]:
    """The state's beginning, two of its seven numbers, any with 256 bits, and the place of a third."""
    state = proof.numbers("the beginning of the state", 3)
    one = proof.numbers("number 0", 32, adjoins=True)
    other = proof.numbers("number 1", 32, adjoins=True)
    result = proof.room("number 2", 32)
    proof.numbers("numbers 3 to 6", 4 * 32, adjoins=True)
    return state, one, other, result


def _shows(proof: Proof, part: str) -> None:
    for operation in ("sign", "verify"):
        proof.shows("tatu/ed25519", operation, part=part)


def _sum(function: str, sign: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        state, one, other, result = _state(proof)
        proof.call(function, state, NUMBER_2, NUMBER_0, NUMBER_1)
        _shows(proof, "sums modulo 2^255 - 19")
        proof.equal_modulo(result, one.number + sign * other.number, PRIME)

    return proved


PROOFS["ed25519_add"] = _sum("tatu_internal_field25519_add_avr", 1)
PROOFS["ed25519_subtract"] = _sum("tatu_internal_field25519_subtract_avr", -1)


def ed25519_multiply(proof: Proof) -> None:
    """Karatsuba's of 16 bytes by 16, which are not followed, and the reduction below 2^255."""
    proof.by_cases(5)
    proof.product(MULTIPLY_16, 16)
    state, one, other, result = _state(proof)
    proof.room("products", 112)
    proof.call("tatu_internal_field25519_multiply_avr", state, NUMBER_2, NUMBER_0, NUMBER_1)
    _shows(proof, "products modulo 2^255 - 19")
    proof.equal_modulo(result, one.number * other.number, PRIME, bits=255)


def ed25519_square(proof: Proof) -> None:
    proof.by_cases(4)
    proof.product(SQUARE_16, 16, is_square=True)
    state, one, _, result = _state(proof)
    proof.room("products", 112)
    proof.call("tatu_internal_field25519_square_avr", state, NUMBER_2, NUMBER_0)
    _shows(proof, "squares modulo 2^255 - 19")
    proof.equal_modulo(result, one.number * one.number, PRIME, bits=255)


def _any_sum(function: str, sign: int) -> ProofFunction:
    """On a Cortex-M, of any numbers: 2^256 is 38 modulo p, so what carries or borrows counts 38, which may carry or
    borrow again."""

    def proved(proof: Proof) -> None:
        proof.is_for("thumb")
        result = proof.output("result", 32, align=4)
        one = proof.secret("one", 32, align=4)
        other = proof.secret("other", 32, align=4)
        proof.call(function, result, one, other)
        _shows(proof, "sums modulo 2^255 - 19")
        zero = Word(proof.graph, (0,))
        addend = little_endian(other.words)
        total = little_endian(one.words)
        for _ in range(3):
            wide = total.followed_by(zero)
            wide = wide + addend.followed_by(zero) if sign > 0 else wide - addend.followed_by(zero)
            total, over = wide.part(0, 256), wide.bits[256]
            addend = Word(proof.graph, tuple(over if 38 >> bit & 1 else 0 for bit in range(256)))
        proof.equal(result, bytes_of(total))

    return proved


PROOFS["field25519_add"] = _any_sum("tatu_internal_field25519_add", 1)
PROOFS["field25519_subtract"] = _any_sum("tatu_internal_field25519_subtract", -1)
