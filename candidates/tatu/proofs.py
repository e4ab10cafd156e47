"""What Tatu's assembly for AVR computes, for `bancada prove`. Each function is one proof of one linked function.

Round keys are inputs here, whatever they are: a proof of `set_key` and one of `encrypt` together show the cipher.
"""

from __future__ import annotations

from bancada.formulas.word import Word, bytes_of, little_endian
from bancada.primitives.aead.algorithms.ascon_aead128 import specification as ascon
from bancada.primitives.block_cipher.algorithms.aes import specification as aes
from bancada.primitives.block_cipher.algorithms.speck128 import specification as speck
from bancada.primitives.hash.algorithms.sha3_256 import specification as keccak
from bancada.primitives.hash.algorithms.sha_256 import specification as sha_256
from bancada.primitives.keystream.algorithms.chacha20 import specification as chacha20
from bancada.prove.proof import Proof

ROUNDS = {16: 10, 24: 12, 32: 14}


def _set_key(proof: Proof, function: str, key_bytes: int) -> None:
    rounds = ROUNDS[key_bytes]
    context = proof.output("context", 16 * (rounds + 1))
    key = proof.secret("key", key_bytes)
    proof.call(function, context, key)
    proof.equal(context, aes.key_expansion(key.words, rounds))


def _aes(proof: Proof, function: str, key_bytes: int, is_expanded: bool, is_inverse: bool = False) -> None:
    rounds = ROUNDS[key_bytes]
    context = proof.secret("context", 16 * (rounds + 1) if is_expanded else key_bytes)
    block = proof.secret("block", 16)
    output = proof.output("output", 16)
    proof.call(function, context, output, block)
    keys = list(context.words) if is_expanded else aes.key_expansion(context.words, rounds)
    cipher = aes.inv_cipher if is_inverse else aes.cipher
    proof.equal(output, cipher(block.words, rounds, keys))


def aes128_set_key(proof: Proof) -> None:
    _set_key(proof, "tatu_aes128_set_key", 16)


def aes192_set_key(proof: Proof) -> None:
    _set_key(proof, "tatu_aes192_set_key", 24)


def aes256_set_key(proof: Proof) -> None:
    _set_key(proof, "tatu_aes256_set_key", 32)


def aes128_encrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes128_encrypt", 16, True)


def aes192_encrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes192_encrypt", 24, True)


def aes256_encrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes256_encrypt", 32, True)


def aes128_decrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes128_decrypt", 16, True, is_inverse=True)


def aes256_decrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes256_decrypt", 32, True, is_inverse=True)


def aes128_ram_encrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes128_ram_encrypt", 16, True)


def aes128_small_encrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes128_small_encrypt", 16, False)


def aes128_tiny_encrypt(proof: Proof) -> None:
    _aes(proof, "tatu_aes128_tiny_encrypt", 16, False)


def _speck128(proof: Proof, function: str, is_expanded: bool, is_inverse: bool = False) -> None:
    context = proof.secret("context", 256 if is_expanded else 16)
    block = proof.secret("block", 16)
    output = proof.output("output", 16)
    proof.call(function, context, output, block)
    keys = speck.words_of(context.words, 8)
    if not is_expanded:
        keys = speck.key_schedule(keys, 32)
    proof.equal(output, (speck.decrypt if is_inverse else speck.encrypt)(block.words, keys))


def speck128_128_set_key(proof: Proof) -> None:
    context = proof.output("context", 256)
    key = proof.secret("key", 16)
    proof.call("tatu_speck128_128_set_key", context, key)
    keys = speck.key_schedule(speck.words_of(key.words, 8), 32)
    proof.equal(context, [byte for each in keys for byte in bytes_of(each)])


def speck128_128_encrypt(proof: Proof) -> None:
    _speck128(proof, "tatu_speck128_128_encrypt", True)


def speck128_128_decrypt(proof: Proof) -> None:
    _speck128(proof, "tatu_speck128_128_decrypt", True, is_inverse=True)


def speck128_128_small_encrypt(proof: Proof) -> None:
    _speck128(proof, "tatu_speck128_128_small_encrypt", False)


def speck128_128_tiny_encrypt(proof: Proof) -> None:
    _speck128(proof, "tatu_speck128_128_tiny_encrypt", False)


def chacha20_rounds(proof: Proof) -> None:
    state = proof.secret("state", 64, written=True)
    proof.call("tatu_internal_chacha20_permute", state)
    proof.equal(
        state, [byte for each in chacha20.inner_rounds(chacha20.words_of(state.words)) for byte in bytes_of(each)]
    )


def _complemented(state: list[Word]) -> list[Word]:
    """The kernel's state, of which the words S1, S2 and S3 are complemented, and back."""
    return [~byte if 8 <= at < 32 else byte for at, byte in enumerate(state)]


def ascon_p12(proof: Proof) -> None:
    state = proof.secret("state", 40, written=True)
    proof.call("tatu_internal_ascon_permute", state, 0xF0)
    proof.equal(state, _complemented(ascon.permutation(_complemented(list(state.words)), 12)))


def ascon_p8(proof: Proof) -> None:
    state = proof.secret("state", 40, written=True)
    proof.call("tatu_internal_ascon_permute", state, 0xB4)
    proof.equal(state, _complemented(ascon.permutation(_complemented(list(state.words)), 8)))


def sha256_compress(proof: Proof) -> None:
    """The state and the room for the schedule are parts of one structure, `struct tatu_sha256`."""
    state = proof.secret("state", 32, written=True)
    proof.after_it("schedule", 76)
    block = proof.secret("block", 64)
    proof.call("tatu_internal_sha256_compress", state, block)
    words = [little_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    proof.equal(state, [byte for each in sha_256.compress(words, block.words) for byte in bytes_of(each)])


def sha256_small_compress(proof: Proof) -> None:
    state = proof.secret("state", 32, written=True)
    block = proof.secret("block", 64)
    proof.call("tatu_internal_sha256_small_compress", state, block)
    words = [little_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    proof.equal(state, [byte for each in sha_256.compress(words, block.words) for byte in bytes_of(each)])


def keccak_f1600(proof: Proof) -> None:
    lanes = proof.secret("lanes", 200, written=True)
    proof.call("tatu_internal_keccak_permute", lanes)
    words = [little_endian(lanes.words[at : at + 8]) for at in range(0, 200, 8)]
    proof.equal(lanes, [byte for each in keccak.permutation(words) for byte in bytes_of(each)])
