"""SHA-256 and SHA-512: what compresses a block, and the beginning and the end of SHA-256."""

from __future__ import annotations

from bancada.formulas.word import big_endian, bytes_of, little_endian, word
from bancada.primitives.hash.algorithms.sha_256 import specification as sha_256
from bancada.primitives.hash.algorithms.sha_512 import specification as sha_512
from bancada.prove.proof import Proof

# As arm-none-eabi-gcc 12 adds in the C twin at -Os.
SHA256_IN_C = sha_256.Order(first=(3, 4, 1, 2, 0), second=(0, 2, 1))


def _sha256_order(proof: Proof) -> sha_256.Order:
    """In which order the kernel adds."""
    if proof.is_avr:
        return sha_256.Order()
    if proof.program.machine == "aarch64":
        return sha_256.Order(first=(0, 4, 2, 5, 3, 1), second=(1, 2, 0), last_second=(1, 0, 2))
    if proof.program.machine == "armv7-a":
        return sha_256.Order(first=(0, 6, 2, 5, 1), second=(1, 0, 2))
    if proof.program.has_thumb2:
        return sha_256.Order(first=(0, 4, 3, 1, 2))
    return sha_256.Order(schedule=(0, 2, 3, 1), first=(3, 4, 0, 1, 2))


def sha256_compress(proof: Proof) -> None:
    """The state and the room for the schedule are parts of one structure, `struct tatu_sha256`."""
    proof.is_for("avr", "thumb", "aarch64", "armv7-a")
    state = proof.secret("state", 32, written=True, align=4)
    proof.after_it("schedule", 76)
    block = proof.secret("block", 64)
    proof.call("tatu_internal_sha256_compress", state, block)
    proof.shows("tatu/sha256", "hash", part="its compression function")
    words = [little_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    compressed = sha_256.compress(words, block.words, _sha256_order(proof))
    proof.equal(state, [byte for each in compressed for byte in bytes_of(each)])


def sha256_compress_blocks(proof: Proof) -> None:
    """Two blocks one after the other, with NEON."""
    proof.is_for("armv7-a")
    state = proof.secret("state", 32, written=True, align=4)
    blocks = proof.secret("blocks", 128)
    proof.call("tatu_internal_sha256_compress_blocks", state, blocks, 2)
    proof.shows("tatu/sha256", "hash", part="its compression function")
    words = [little_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    for at in (0, 64):
        words = sha_256.compress(words, blocks.words[at : at + 64], _sha256_order(proof))
    proof.equal(state, [byte for each in words for byte in bytes_of(each)])


def sha256_small_compress(proof: Proof) -> None:
    state = proof.secret("state", 32, written=True, align=4)
    block = proof.secret("block", 64)
    proof.call("tatu_internal_sha256_small_compress", state, block)
    proof.shows("tatu/sha256/small", "hash", part="its compression function")
    words = [little_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    compressed = sha_256.compress(words, block.words, sha_256.Order() if proof.is_avr else SHA256_IN_C)
    proof.equal(state, [byte for each in compressed for byte in bytes_of(each)])


def sha256_start(proof: Proof) -> None:
    """FIPS 180-4, section 5.3.3; behind the state and the room for the schedule, the length is zero."""
    state = proof.output("state", 32, align=4)
    kept = proof.after_it("schedule and block", 68)
    length = proof.room("length", 8)
    proof.call("tatu_internal_sha256_start", state)
    proof.equal(state, [word(proof.graph, each >> 8 * at & 255, 8) for each in sha_256.INITIAL for at in range(4)])
    proof.equal(kept, kept.words)
    proof.equal(length, [word(proof.graph, 0, 8)] * 8)


def sha256_store(proof: Proof) -> None:
    """The state's words as the digest's bytes, the most significant first (FIPS 180-4, section 3.1)."""
    state = proof.secret("state", 32, align=4)
    digest = proof.output("digest", 32)
    proof.call("tatu_internal_sha256_store", state, digest, 8)
    words = [big_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    proof.equal(digest, [byte for each in words for byte in bytes_of(each)])


def sha512_compress(proof: Proof) -> None:
    """The state and the room for the schedule are parts of one structure, `struct tatu_sha512`. In C gcc adds in
    another order, with carries between halves."""
    proof.needs_an_avr()
    state = proof.secret("state", 64, written=True, align=8)
    proof.after_it("schedule", 136)
    block = proof.secret("block", 128)
    proof.call("tatu_internal_sha512_compress", state, block)
    for implementation in ("tatu/sha512", "tatu/sha384"):
        proof.shows(implementation, "hash", part="its compression function")
    words = [little_endian(state.words[at : at + 8]) for at in range(0, 64, 8)]
    proof.equal(state, [byte for each in sha_512.compress(words, block.words) for byte in bytes_of(each)])
