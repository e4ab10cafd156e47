"""Counter mode, CMAC and CCM with any block cipher."""

from __future__ import annotations

from collections.abc import Callable

from bancada.formulas.word import Word, word
from bancada.primitives.block_cipher.algorithms.aes import specification as aes
from bancada.primitives.mac.algorithms.aes_cmac import specification as cmac
from bancada.prove.black_box import Cipher
from bancada.prove.proof import Proof
from bancada.prove.records import Buffer

from .aes import substitution

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}


# The modes take any block cipher. The program's is AES-128, and it is not followed.


def _any_cipher(proof: Proof, context: Buffer, with_addition: bool = False) -> Cipher:
    functions = ["tatu_aes128_encrypt", *["tatu_internal_aes128_encrypt_and_add"] * with_addition]
    keys = list(context.words) if proof.is_avr else aes.round_keys_of(context.words, 0)
    return proof.black_box(context, functions, lambda block: aes.cipher(block, 10, keys, substitution(proof)))


def _cipher_of(proof: Proof, context: Buffer, with_addition: bool) -> bytes:
    """`struct tatu_block_encrypter`: the function, its context, the block's bytes, and the function that adds."""
    if not proof.is_avr:  # no function for many blocks
        return proof.pointer_to("tatu_aes128_encrypt") + context.address.to_bytes(4, "little") + bytes([16, *[0] * 7])
    addition = proof.pointer_to("tatu_internal_aes128_encrypt_and_add") if with_addition else bytes(2)
    return proof.pointer_to("tatu_aes128_encrypt") + context.address.to_bytes(2, "little") + bytes([16]) + addition


def ctr_stream(proof: Proof) -> None:
    """SP 800-38A, section 6.5: two blocks and five bytes. The counter runs over from its last byte."""
    first = int.from_bytes(bytes(range(14)) + b"\xff\xff", "big")
    context = proof.secret("context", 176 if proof.is_avr else 352, align=4)
    encrypt = _any_cipher(proof, context)
    cipher = proof.known("cipher", _cipher_of(proof, context, False), align=4)
    counter = proof.known("counter", first.to_bytes(16, "big"), written=True)
    data = proof.secret("input", 37)
    output = proof.output("output", 37)
    proof.call("tatu_internal_ctr_stream", cipher, counter, output, data, 37)
    stream: list[Word] = []
    for at in range(3):
        block = [word(proof.graph, byte, 8) for byte in (first + at).to_bytes(16, "big")]
        stream += encrypt(block)
    proof.equal(output, [one ^ other for one, other in zip(data.words, stream, strict=False)])
    proof.equal(counter, [word(proof.graph, byte, 8) for byte in (first + 3).to_bytes(16, "big")])


def _cmac_key(proof: Proof) -> tuple[Buffer, Buffer, Cipher]:
    """`struct tatu_cmac_key` in two buffers, and the cipher. The subkey K1 is any."""
    context = proof.secret("context", 176)
    key = proof.known("key", _cipher_of(proof, context, False))
    return key, proof.secret_behind("subkey", 16), _any_cipher(proof, context)


def _cmac(length: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        key, subkey, encrypt = _cmac_key(proof)
        state = proof.output("state", 16)
        data = proof.secret("input", length)
        proof.call("tatu_internal_cmac_avr", key, state, data, length)
        proof.equal(state, cmac.tag_by_first_subkey(encrypt, subkey.words, data.words))

    return proved


for length in (0, 16, 21, 32):
    PROOFS[f"cmac_of_{length}"] = _cmac(length)


def cmac_tag(proof: Proof) -> None:
    """A tag of eight bytes for a message of nineteen."""
    key, subkey, encrypt = _cmac_key(proof)
    tag = proof.output("tag", 8)
    data = proof.secret("input", 19)
    proof.call("tatu_internal_cmac_tag_avr", key, tag, 8, data, 19)
    proof.equal(tag, cmac.tag_by_first_subkey(encrypt, subkey.words, data.words)[:8])


def _ccm(operation: str, with_addition: bool) -> ProofFunction:
    """SP 800-38C, sections 6.1 and 6.2: two blocks and five bytes. The block that was last added to the CBC-MAC is not
    encrypted, before and after the call."""

    def proved(proof: Proof) -> None:
        first = int.from_bytes(bytes(range(14)) + b"\xff\xfe", "big")
        context = proof.secret("context", 176)
        ccm = proof.known("cipher", _cipher_of(proof, context, with_addition))
        mac = proof.after_it("mac", 16)
        proof.after_it("key stream", 16)
        counter = proof.known_behind("counter", first.to_bytes(16, "big"))
        output = proof.output("output", 37)
        data = proof.secret("input", 37)
        encrypt = _any_cipher(proof, context, with_addition)
        proof.call(f"tatu_internal_ccm_{operation}_avr", ccm, output, data, 37)
        total, made = list(mac.words), []
        for at in (0, 16, 32):
            block = [word(proof.graph, byte, 8) for byte in (first + 1 + at // 16).to_bytes(16, "big")]
            given = data.words[at : at + 16]
            crypted = [one ^ other for one, other in zip(given, encrypt(block), strict=False)]
            message = given if operation == "encrypt" else crypted
            total = encrypt(total)
            total[: len(message)] = [one ^ other for one, other in zip(total, message, strict=False)]
            made += crypted
        proof.equal(output, made)
        proof.equal(mac, total)
        proof.equal(counter, [word(proof.graph, byte, 8) for byte in (first + 3).to_bytes(16, "big")])

    return proved


for operation in ("encrypt", "decrypt"):
    PROOFS[f"ccm_{operation}"] = _ccm(operation, with_addition=True)
    PROOFS[f"ccm_{operation}_without_addition"] = _ccm(operation, with_addition=False)
