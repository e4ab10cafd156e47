"""Ascon: its permutations, and the beginning, the blocks and the tag of Ascon-AEAD128."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.word import Word
from bancada.primitives.aead.algorithms.ascon_aead128 import specification as ascon
from bancada.prove.proof import Proof

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}


def _kept(proof: Proof, state: list[Word]) -> list[Word]:
    """The kernel's state, of which an AVR complements the words S1, S2 and S3, and back."""
    return [~byte if proof.is_avr and 8 <= at < 32 else byte for at, byte in enumerate(state)]


def ascon_p12(proof: Proof) -> None:
    state = proof.secret("state", 40, written=True, align=4)
    proof.call("tatu_internal_ascon_permute", state, 0xF0)
    for operation in ("encrypt", "decrypt"):
        proof.shows("tatu/ascon-aead128", operation, part="its permutation")
    proof.equal(state, _kept(proof, ascon.permutation(_kept(proof, list(state.words)), 12)))


def ascon_p8(proof: Proof) -> None:
    state = proof.secret("state", 40, written=True, align=4)
    proof.call("tatu_internal_ascon_permute", state, 0xB4)
    for operation in ("encrypt", "decrypt"):
        proof.shows("tatu/ascon-aead128", operation, part="its permutation")
    proof.equal(state, _kept(proof, ascon.permutation(_kept(proof, list(state.words)), 8)))


def _ascon_absorb(rate: int, rounds: int) -> ProofFunction:
    """Two blocks of associated data (rate 16), or of a message that is hashed (rate 8)."""

    def proved(proof: Proof) -> None:
        state = proof.secret("state", 40, written=True, align=4)
        data = proof.secret("input", 2 * rate)
        proof.call("tatu_internal_ascon_absorb_blocks", state, rate, data, data.address + 2 * rate)
        if rate == 16:
            for operation in ("encrypt", "decrypt"):
                proof.shows("tatu/ascon-aead128", operation, part="its associated data")
        else:
            proof.shows("tatu/ascon-hash256", "hash", part="its blocks")
        words = _kept(proof, list(state.words))
        for at in (0, rate):
            words = ascon.permutation(ascon.absorbed(words, data.words[at : at + rate]), rounds)
        proof.equal(state, _kept(proof, words))

    return proved


PROOFS["ascon_absorb_for_aead"] = _ascon_absorb(16, 8)
PROOFS["ascon_absorb_for_hash"] = _ascon_absorb(8, 12)


def _ascon_message(operation: str) -> ProofFunction:
    """Two blocks of a message, encrypted or decrypted."""

    def proved(proof: Proof) -> None:
        state = proof.secret("state", 40, written=True, align=4)
        output = proof.output("output", 32)
        data = proof.secret("input", 32)
        proof.call(f"tatu_internal_ascon_{operation}_blocks", state, output, data, data.address + 32)
        proof.shows("tatu/ascon-aead128", operation, part="its message")
        words = _kept(proof, list(state.words))
        made: list[Word] = []
        for at in (0, 16):
            block = data.words[at : at + 16]
            crypted = [one ^ other for one, other in zip(words, block, strict=False)]
            made += crypted
            words = ascon.permutation([*(crypted if operation == "encrypt" else block), *words[16:]], 8)
        proof.equal(output, made)
        proof.equal(state, _kept(proof, words))

    return proved


for operation in ("encrypt", "decrypt"):
    PROOFS[f"ascon_{operation}_blocks"] = _ascon_message(operation)


def ascon_start(proof: Proof) -> None:
    """The state before associated data (SP 800-232, algorithm 3, step 1)."""
    state = proof.output("state", 40, align=4)
    key = proof.secret("key", 16)
    nonce = proof.secret("nonce", 16)
    proof.call("tatu_internal_ascon_aead128_start", state, key, nonce)
    for operation in ("encrypt", "decrypt"):
        proof.shows("tatu/ascon-aead128", operation, part="its beginning")
    proof.equal(state, _kept(proof, ascon.aead128_start(key.words, nonce.words)))


def ascon_finish(proof: Proof) -> None:
    """The padding of the last block behind its 5 bytes, and the tag (steps 3 and 4), which the state ends with."""
    state = proof.secret("the state's beginning", 24, written=True, align=4)
    tag = proof.after_it("the state's end", 16)
    key = proof.secret("key", 16)
    proof.call("tatu_internal_ascon_aead128_finish", state, 5, key)
    for operation in ("encrypt", "decrypt"):
        proof.shows("tatu/ascon-aead128", operation, part="its tag")
    words = _kept(proof, [*state.words, *tag.words])
    words[5] = words[5] ^ 1
    proof.equal(tag, ascon.aead128_tag(words, key.words))
