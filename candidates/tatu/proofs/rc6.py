"""RC6-32/20: key schedules, and one block either way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bancada.formulas.word import Word, bytes_of
from bancada.primitives.block_cipher.algorithms.rc6 import specification as rc6
from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}


def _rc6_set_key(function: str, key_bytes: int) -> ProofFunction:
    """In C on a Cortex-M the rotation is an instruction whose amount depends on a secret, which is not followed."""

    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        context = proof.output("context", 4 * rc6.KEYS, align=4)
        key = proof.secret("key", key_bytes)
        proof.call(function, context, key)
        proof.shows(f"tatu/rc6-{8 * key_bytes}{'/tiny' * ('tiny' in function)}", "set-key")
        proof.equal(context, [byte for each in rc6.key_schedule(key.words) for byte in bytes_of(each)])

    return proved


def _rc6(function: str, made: Callable[[list[Word], list[Word]], list[Word]]) -> ProofFunction:
    """One block under any round keys."""

    def proved(proof: Proof) -> None:
        proof.needs_an_avr()
        context = proof.secret("context", 4 * rc6.KEYS, align=4)
        block = proof.secret("block", 16)
        output = proof.output("output", 16)
        proof.call(function, context, output, block)
        for key_bytes in (16, 24, 32):
            name = f"tatu/rc6-{8 * key_bytes}{'/tiny' * ('tiny' in function)}"
            proof.shows(name, "decrypt" if "decrypt" in function else "encrypt")
        proof.equal(output, made(list(block.words), rc6.words_of(context.words)))

    return proved


for variant in ("", "_tiny"):
    for key_bytes in (16, 24, 32):
        name = f"rc6{variant}_{8 * key_bytes}_set_key"
        PROOFS[name] = _rc6_set_key(f"tatu_{name}", key_bytes)
    PROOFS[f"rc6{variant}_encrypt"] = _rc6(f"tatu_rc6{variant}_encrypt", rc6.encrypt)
PROOFS["rc6_decrypt"] = _rc6("tatu_rc6_decrypt", rc6.decrypt)
PROOFS["rc6_tiny_decrypt"] = _rc6(
    "tatu_rc6_tiny_decrypt", partial(rc6.decrypt, negative_of_t=rc6.negative_amount_in_two_steps)
)
