"""Speck-64 and Speck-128: key schedules, and one block either way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bancada.formulas.word import Word, bytes_of
from bancada.primitives.block_cipher.algorithms.speck128 import specification as speck
from bancada.prove.proof import Proof

from .names import shows

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}


# Bytes of a word, words of the key, rounds (the paper, table 4).
SPECK = ((8, 2, 32), (8, 3, 33), (8, 4, 34), (4, 4, 27))


def _speck_set_key(function: str, word_bytes: int, key_words: int, rounds: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        context = proof.output("context", word_bytes * rounds, align=word_bytes)
        key = proof.secret("key", word_bytes * key_words)
        proof.call(function, context, key)
        shows(proof, function)
        keys = speck.key_schedule(speck.words_of(key.words, word_bytes), rounds)
        proof.equal(context, [byte for each in keys for byte in bytes_of(each)])

    return proved


def _speck_small_set_decrypt_key(function: str, word_bytes: int, key_words: int, rounds: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        context = proof.output("context", word_bytes * key_words, align=word_bytes)
        key = proof.secret("key", word_bytes * key_words)
        proof.call(function, context, key)
        shows(proof, function)
        last = speck.last_of_schedule(speck.words_of(key.words, word_bytes), rounds)
        proof.equal(context, [byte for each in last for byte in bytes_of(each)])

    return proved


def _speck(
    function: str,
    word_bytes: int,
    context_bytes: int,
    keys_of: Callable[[list[Word]], list[Word]],
    is_inverse: bool = False,
) -> ProofFunction:
    """One block. `keys_of` makes the round keys of the context's words."""

    def proved(proof: Proof) -> None:
        context = proof.secret("context", context_bytes, align=word_bytes)
        block = proof.secret("block", 2 * word_bytes)
        output = proof.output("output", 2 * word_bytes)
        proof.call(function, context, output, block)
        shows(proof, function)
        keys = keys_of(speck.words_of(context.words, word_bytes))
        proof.equal(output, (speck.decrypt if is_inverse else speck.encrypt)(block.words, keys))

    return proved


def _speck128_eight_blocks(operation: str) -> ProofFunction:
    """Eight blocks of Speck128 with NEON, with any round keys; `rounds` as many as a key of 128 bits has."""

    def proved(proof: Proof) -> None:
        proof.is_for("armv7-a")
        word_bytes, key_words, rounds = SPECK[0]
        round_keys = proof.secret("round keys", word_bytes * rounds, align=word_bytes)
        blocks = proof.secret("blocks", 128)
        output = proof.output("output", 128)
        proof.call(f"tatu_internal_speck128_{operation}_8_blocks", round_keys, rounds, output, blocks)
        proof.shows(f"tatu/speck128-{64 * key_words}", operation, part="eight blocks at once")
        one_block = speck.encrypt if operation == "encrypt" else speck.decrypt
        keys = speck.words_of(round_keys.words, word_bytes)
        made = (one_block(blocks.words[at : at + 16], keys) for at in range(0, 128, 16))
        proof.equal(output, [byte for block in made for byte in block])

    return proved


def _speck_there_and_back(key: list[Word], rounds: int) -> list[Word]:
    """The round keys as *tiny* decryption makes them: to the end of the schedule, and from there back."""
    return speck.key_schedule_from_last(speck.last_of_schedule(key, rounds), rounds)


for word_bytes, key_words, rounds in SPECK:
    name = f"speck{16 * word_bytes}_{8 * word_bytes * key_words}"
    key_bytes = word_bytes * key_words
    forward = partial(speck.key_schedule, rounds=rounds)
    back = partial(speck.key_schedule_from_last, rounds=rounds)
    sizes = (word_bytes, key_words, rounds)
    PROOFS[f"{name}_set_key"] = _speck_set_key(f"tatu_{name}_set_key", *sizes)
    PROOFS[f"{name}_encrypt"] = _speck(f"tatu_{name}_encrypt", word_bytes, word_bytes * rounds, list)
    PROOFS[f"{name}_decrypt"] = _speck(f"tatu_{name}_decrypt", word_bytes, word_bytes * rounds, list, is_inverse=True)
    for variant in ("_small", "_tiny"):
        PROOFS[f"{name}{variant}_encrypt"] = _speck(f"tatu_{name}{variant}_encrypt", word_bytes, key_bytes, forward)
    there_and_back = partial(_speck_there_and_back, rounds=rounds)
    PROOFS[f"{name}_tiny_decrypt"] = _speck(
        f"tatu_{name}_tiny_decrypt", word_bytes, key_bytes, there_and_back, is_inverse=True
    )
    PROOFS[f"{name}_small_set_decrypt_key"] = _speck_small_set_decrypt_key(f"tatu_{name}_small_set_decrypt_key", *sizes)
    PROOFS[f"{name}_small_decrypt"] = _speck(f"tatu_{name}_small_decrypt", word_bytes, key_bytes, back, is_inverse=True)

for operation in ("encrypt", "decrypt"):
    PROOFS[f"speck128_eight_blocks_{operation}"] = _speck128_eight_blocks(operation)
