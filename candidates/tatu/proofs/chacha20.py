"""ChaCha20: its rounds, a block, and whole blocks of a message."""

from __future__ import annotations

from bancada.formulas.word import Word, bytes_of, little_endian, word
from bancada.primitives.keystream.algorithms.chacha20 import specification as chacha20
from bancada.prove.proof import Proof


def chacha20_rounds(proof: Proof) -> None:
    state = proof.secret("state", 64, written=True, align=8)
    proof.call("tatu_internal_chacha20_permute", state)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="its rounds")
    proof.equal(
        state, [byte for each in chacha20.inner_rounds(chacha20.words_of(state.words)) for byte in bytes_of(each)]
    )


def chacha20_block(proof: Proof) -> None:
    """RFC 8439, section 2.3, for any key, counter and nonce."""
    key = proof.secret("key", 32)
    output = proof.output("output", 64)
    counter = proof.unknown("counter", 32)
    nonce = proof.secret("nonce", 12)
    proof.call("tatu_chacha20_block", key, output, counter, nonce)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="a block")
    constants = [word(proof.graph, byte, 8) for byte in b"expand 32-byte k"]
    proof.equal(output, chacha20.block([*constants, *key.words, *bytes_of(counter), *nonce.words]))


def chacha20_next_block(proof: Proof) -> None:
    """RFC 8439, section 2.3, for any state; its counter goes on by one."""
    key_stream = proof.output("key stream", 64)
    state = proof.secret("state", 64, written=True, align=4)
    proof.call("tatu_internal_chacha20_next_block", key_stream, state)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="a block")
    proof.equal(key_stream, chacha20.block(state.words))
    proof.equal(state, _counted(list(state.words)))


def _counted(state: list[Word]) -> list[Word]:
    """The state of the next block, whose counter is word 12."""
    return [*state[:48], *bytes_of(little_endian(state[48:52]) + 1), *state[52:]]


def chacha20_crypt_blocks(proof: Proof) -> None:
    """Two whole blocks of a message (section 2.4)."""
    state = proof.secret("state", 64, written=True, align=4)
    output = proof.output("output", 128)
    data = proof.secret("input", 128)
    proof.call("tatu_internal_chacha20_crypt_blocks", state, output, data, 2)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="whole blocks")
    first = list(state.words)
    second = _counted(first)
    stream = chacha20.block(first) + chacha20.block(second)
    proof.equal(output, [one ^ other for one, other in zip(data.words, stream, strict=True)])
    proof.equal(state, _counted(second))
