"""What Tatu's kernels compute on an AVR and on a Cortex-M, for `bancada prove`. Each function is one proof of one
linked function.

Round keys are inputs here, whatever they are: a proof of `set_key` and one of `encrypt` together show the cipher.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from bancada.formulas.word import Word, big_endian, bytes_of, little_endian, word
from bancada.primitives.aead.algorithms.ascon_aead128 import specification as ascon
from bancada.primitives.block_cipher.algorithms.aes import specification as aes
from bancada.primitives.block_cipher.algorithms.rc6 import specification as rc6
from bancada.primitives.block_cipher.algorithms.speck128 import specification as speck
from bancada.primitives.hash.algorithms.sha3_256 import specification as keccak
from bancada.primitives.hash.algorithms.sha_256 import specification as sha_256
from bancada.primitives.hash.algorithms.sha_512 import specification as sha_512
from bancada.primitives.keystream.algorithms.chacha20 import specification as chacha20
from bancada.primitives.mac.algorithms.aes_cmac import specification as cmac
from bancada.prove.black_box import Cipher
from bancada.prove.proof import Proof
from bancada.prove.records import Buffer

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}

# FIPS 197, table 3: rounds by bytes of the key.
AES_ROUNDS = {16: 10, 24: 12, 32: 14}
# Bytes of a word, words of the key, rounds (the paper, table 4).
SPECK = ((8, 2, 32), (8, 3, 33), (8, 4, 34), (4, 4, 27))


def _shows(proof: Proof, function: str) -> None:
    """The function is an operation of the implementation that its name says."""
    found = re.fullmatch(r"tatu_(aes|speck\d+_)(\d+)((?:_ram|_small|_tiny)?)_(\w+)", function)
    assert found is not None
    cipher, key_bits, variant, operation = found.groups()
    name = "tatu/" + cipher.replace("_", "-") + key_bits + variant.replace("_", "/")
    proof.shows(name, operation.replace("_", "-"))


def _substitution(proof: Proof) -> aes.Substitution:
    """The S-box in the program's form: a table where there is no cache, else a circuit."""
    return aes.by_table if proof.is_avr else aes.by_circuit


def _inverse(proof: Proof) -> aes.Substitution:
    return aes.by_inverse_table if proof.is_avr else aes.inverse_by_circuit


def _aes_set_key(function: str, key_bytes: int) -> ProofFunction:
    """On a Cortex-M the context is fix-sliced."""

    def proved(proof: Proof) -> None:
        rounds = AES_ROUNDS[key_bytes]
        context = proof.output("context", (16 if proof.is_avr else 32) * (rounds + 1), align=4)
        key = proof.secret("key", key_bytes)
        proof.call(function, context, key)
        _shows(proof, function)
        keys = aes.key_expansion(key.words, rounds, _substitution(proof))
        proof.equal(context, keys if proof.is_avr else aes.planes_of(keys))

    return proved


def _aes(function: str, key_bytes: int, is_expanded: bool, is_inverse: bool = False) -> ProofFunction:
    """One block. The context is the expanded key, on a Cortex-M fix-sliced, or the key itself."""

    def proved(proof: Proof) -> None:
        rounds = AES_ROUNDS[key_bytes]
        is_sliced = is_expanded and not proof.is_avr
        expanded = (32 if is_sliced else 16) * (rounds + 1)
        context = proof.secret("context", expanded if is_expanded else key_bytes, align=4 if is_sliced else 1)
        block = proof.secret("block", 16)
        output = proof.output("output", 16)
        proof.call(function, context, output, block)
        _shows(proof, function)
        keys = list(context.words)
        if not is_expanded:
            keys = aes.key_expansion(context.words, rounds, _substitution(proof))
        elif is_sliced:
            keys = aes.round_keys_of(context.words, 0)
        if is_inverse:
            proof.equal(output, aes.inv_cipher(block.words, rounds, keys, _inverse(proof)))
        else:
            proof.equal(output, aes.cipher(block.words, rounds, keys, _substitution(proof)))

    return proved


def _aes_two_blocks(function: str, key_bytes: int, is_inverse: bool = False) -> ProofFunction:
    """Two blocks at once on a Cortex-M, with any planes, which are round keys of their own for each block."""

    def proved(proof: Proof) -> None:
        rounds = AES_ROUNDS[key_bytes]
        planes = proof.secret("round keys", 32 * (rounds + 1), align=4)
        blocks = proof.secret("blocks", 32)
        output = proof.output("output", 32)
        proof.call(function, planes, rounds, output, blocks, 2)
        made: list[Word] = []
        for at in range(2):
            keys = aes.round_keys_of(planes.words, at)
            block = blocks.words[16 * at : 16 * at + 16]
            if is_inverse:
                made += aes.inv_cipher(block, rounds, keys, _inverse(proof))
            else:
                made += aes.cipher(block, rounds, keys, _substitution(proof))
        proof.equal(output, made)

    return proved


def _aes_tiny_decrypt(function: str, key_bytes: int) -> ProofFunction:
    """One block. *Tiny* has no table of the inverse S-box, so its bits are the same functions in another form."""

    def proved(proof: Proof) -> None:
        rounds = AES_ROUNDS[key_bytes]
        context = proof.secret("context", key_bytes)
        block = proof.secret("block", 16)
        output = proof.output("output", 16)
        proof.call(function, context, output, block)
        _shows(proof, function)
        keys = aes.key_expansion(context.words, rounds, _substitution(proof))
        inverse = aes.inverse_by_sbox if proof.is_avr else aes.inverse_by_circuit
        proof.equal(output, aes.inv_cipher(block.words, rounds, keys, inverse))

    return proved


def _aes_encrypt_and_add(function: str, key_bytes: int) -> ProofFunction:
    """One block, which CCM adds to another one."""

    def proved(proof: Proof) -> None:
        rounds = AES_ROUNDS[key_bytes]
        context = proof.secret("context", 16 * (rounds + 1))
        block = proof.secret("block", 16)
        addend = proof.secret("addend", 16)
        output = proof.output("output", 16)
        proof.call(function, context, output, block, addend)
        encrypted = aes.cipher(block.words, rounds, list(context.words))
        proof.equal(output, [a ^ b for a, b in zip(encrypted, addend.words, strict=True)])

    return proved


def _aes_small_decrypt(name: str, key_bytes: int) -> ProofFunction:
    """The key is set and a block decrypted: two calls of one proof."""

    def proved(proof: Proof) -> None:
        rounds = AES_ROUNDS[key_bytes]
        key = proof.secret("key", key_bytes)
        block = proof.secret("block", 16)
        context = proof.output("context", key_bytes)
        output = proof.output("output", 16)
        proof.call(f"{name}_small_set_decrypt_key", context, key)
        proof.call(f"{name}_small_decrypt", context, output, block)
        _shows(proof, f"{name}_small_decrypt")
        keys = aes.key_expansion(key.words, rounds, _substitution(proof))
        proof.equal(output, aes.inv_cipher(block.words, rounds, keys, _inverse(proof)))

    return proved


def aes128_tiny_set_key(proof: Proof) -> None:
    """The context is the key."""
    context = proof.output("context", 16)
    key = proof.secret("key", 16)
    proof.call("tatu_aes128_tiny_set_key", context, key)
    _shows(proof, "tatu_aes128_tiny_set_key")
    proof.equal(context, key.words)


for key_bytes in AES_ROUNDS:
    name = f"aes{8 * key_bytes}"
    PROOFS[f"{name}_set_key"] = _aes_set_key(f"tatu_{name}_set_key", key_bytes)
    for operation in ("encrypt", "decrypt"):
        PROOFS[f"{name}_two_blocks_{operation}"] = _aes_two_blocks(
            f"tatu_internal_aes_fixsliced_{operation}", key_bytes, is_inverse=operation == "decrypt"
        )
    PROOFS[f"{name}_ram_set_key"] = _aes_set_key(f"tatu_{name}_ram_set_key", key_bytes)
    PROOFS[f"{name}_encrypt_and_add"] = _aes_encrypt_and_add(f"tatu_internal_{name}_encrypt_and_add", key_bytes)
    for variant in ("", "_ram"):
        PROOFS[f"{name}{variant}_encrypt"] = _aes(f"tatu_{name}{variant}_encrypt", key_bytes, True)
        PROOFS[f"{name}{variant}_decrypt"] = _aes(f"tatu_{name}{variant}_decrypt", key_bytes, True, is_inverse=True)
    for variant in ("_small", "_tiny"):
        PROOFS[f"{name}{variant}_encrypt"] = _aes(f"tatu_{name}{variant}_encrypt", key_bytes, False)
    PROOFS[f"{name}_tiny_decrypt"] = _aes_tiny_decrypt(f"tatu_{name}_tiny_decrypt", key_bytes)
    PROOFS[f"{name}_small_decrypt"] = _aes_small_decrypt(f"tatu_{name}", key_bytes)


def _speck_set_key(function: str, word_bytes: int, key_words: int, rounds: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        context = proof.output("context", word_bytes * rounds, align=word_bytes)
        key = proof.secret("key", word_bytes * key_words)
        proof.call(function, context, key)
        _shows(proof, function)
        keys = speck.key_schedule(speck.words_of(key.words, word_bytes), rounds)
        proof.equal(context, [byte for each in keys for byte in bytes_of(each)])

    return proved


def _speck_small_set_decrypt_key(function: str, word_bytes: int, key_words: int, rounds: int) -> ProofFunction:
    def proved(proof: Proof) -> None:
        context = proof.output("context", word_bytes * key_words, align=word_bytes)
        key = proof.secret("key", word_bytes * key_words)
        proof.call(function, context, key)
        _shows(proof, function)
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
        _shows(proof, function)
        keys = keys_of(speck.words_of(context.words, word_bytes))
        proof.equal(output, (speck.decrypt if is_inverse else speck.encrypt)(block.words, keys))

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


def equal_16(proof: Proof) -> None:
    """The comparison of tags, at the length of a tag: 1 if all bytes are equal, else 0."""
    one = proof.secret("one", 16)
    other = proof.secret("other", 16)
    answer = proof.call("tatu_equal", one, other, 16)
    difference = word(proof.graph, 0, 8)
    for first, second in zip(one.words, other.words, strict=True):
        difference = difference | (first ^ second)
    any_bit = difference.part(0, 1)
    for bit in range(1, 8):
        any_bit = any_bit | difference.part(bit, 1)
    proof.equal_value("the answer", answer, Word(proof.graph, ((~any_bit).bits[0], *(0,) * 7)))


def chacha20_rounds(proof: Proof) -> None:
    state = proof.secret("state", 64, written=True, align=8)
    proof.call("tatu_internal_chacha20_permute", state)
    for operation in ("keystream", "stream"):
        proof.shows("tatu/chacha20", operation, part="its rounds")
    proof.equal(
        state, [byte for each in chacha20.inner_rounds(chacha20.words_of(state.words)) for byte in bytes_of(each)]
    )


def _kept(proof: Proof, state: list[Word]) -> list[Word]:
    """The kernel's state, of which an AVR complements the words S1, S2 and S3, and back."""
    return [~byte if proof.is_avr and 8 <= at < 32 else byte for at, byte in enumerate(state)]


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


# As arm-none-eabi-gcc 12 adds in the C twin at -Os.
SHA256_IN_C = sha_256.Order(first=(3, 4, 1, 2, 0), second=(0, 2, 1))


def _sha256_order(proof: Proof) -> sha_256.Order:
    """In which order the kernel adds."""
    if proof.is_avr:
        return sha_256.Order()
    if proof.program.has_thumb2:
        return sha_256.Order(first=(0, 4, 3, 1, 2))
    return sha_256.Order(schedule=(0, 2, 3, 1), first=(3, 4, 0, 1, 2))


def sha256_compress(proof: Proof) -> None:
    """The state and the room for the schedule are parts of one structure, `struct tatu_sha256`."""
    state = proof.secret("state", 32, written=True, align=4)
    proof.after_it("schedule", 76)
    block = proof.secret("block", 64)
    proof.call("tatu_internal_sha256_compress", state, block)
    proof.shows("tatu/sha256", "hash", part="its compression function")
    words = [little_endian(state.words[at : at + 4]) for at in range(0, 32, 4)]
    compressed = sha_256.compress(words, block.words, _sha256_order(proof))
    proof.equal(state, [byte for each in compressed for byte in bytes_of(each)])


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


def wipe(proof: Proof) -> None:
    """Zeros in the place of what was there, at lengths around those of keys and states."""
    for length in (1, 16, 255, 256, 339):
        buffer = proof.secret(f"buffer of {length}", length, written=True)
        proof.call("tatu_wipe", buffer, length)
        proof.equal(buffer, [word(proof.graph, 0, 8)] * length)


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


# On a Cortex-M lanes are bit-interleaved: the even bits are one word, the odd bits another. With Thumb-2 each word is
# kept turned to the right, by so many bits.
KECCAK_TURNS = (
    *((0, 0), (21, 21), (18, 17), (11, 11), (18, 18), (15, 14), (21, 21), (2, 1), (22, 21)),
    *((27, 26), (0, 31), (31, 31), (13, 13), (15, 15), (9, 9), (25, 24), (18, 18), (4, 4)),
    *((4, 3), (29, 28), (27, 27), (28, 28), (31, 30), (21, 20), (0, 0)),
)


def _keccak_places(proof: Proof) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Of each lane the numbers of its even and its odd word, and by how much they are turned."""
    if proof.program.has_thumb2:
        return [((2 * lane, 2 * lane + 1), turns) for lane, turns in enumerate(KECCAK_TURNS)]
    # Rows 0 to 2 of the even words, then of the odd ones; the same of rows 3 and 4.
    return [((lane, lane + 15) if lane < 15 else (lane + 15, lane + 25), (0, 0)) for lane in range(25)]


def _lanes(proof: Proof, state: list[Word]) -> list[Word]:
    """The 25 lanes of a kernel's state."""
    if proof.is_avr:
        return [little_endian(state[at : at + 8]) for at in range(0, 200, 8)]
    words = [little_endian(state[at : at + 4]) for at in range(0, 200, 4)]
    made = []
    for places, turns in _keccak_places(proof):
        even, odd = (words[place].rotated_left(turn) for place, turn in zip(places, turns, strict=True))
        pairs = zip(even.bits, odd.bits, strict=True)
        made.append(Word(proof.graph, tuple(bit for pair in pairs for bit in pair)))
    return made


def _state_of(proof: Proof, lanes: list[Word]) -> list[Word]:
    """The reverse."""
    if proof.is_avr:
        return [byte for each in lanes for byte in bytes_of(each)]
    words: dict[int, Word] = {}
    for lane, (places, turns) in zip(lanes, _keccak_places(proof), strict=True):
        for parity in range(2):
            words[places[parity]] = Word(proof.graph, lane.bits[parity::2]).rotated_right(turns[parity])
    return [byte for at in range(50) for byte in bytes_of(words[at])]


def keccak_f1600(proof: Proof) -> None:
    state = proof.secret("lanes", 200, written=True, align=8)
    proof.call("tatu_internal_keccak_permute", state)
    proof.shows("tatu/sha3-256", "hash", part="its permutation")
    lanes = keccak.permutation(_lanes(proof, list(state.words)))
    proof.equal(state, _state_of(proof, lanes))


def exclusive_or(proof: Proof) -> None:
    """Of two strings, at lengths on both sides of the eight bytes that are taken at once."""
    for length in (1, 8, 16, 37):
        one = proof.secret(f"one of {length}", length)
        other = proof.secret(f"other of {length}", length)
        output = proof.output(f"output of {length}", length)
        proof.call("tatu_internal_xor_avr", output, one, other, length)
        proof.equal(output, [first ^ second for first, second in zip(one.words, other.words, strict=True)])


# The modes take any block cipher. The program's is AES-128, and it is not followed.


def _any_cipher(proof: Proof, context: Buffer, with_addition: bool = False) -> Cipher:
    functions = ["tatu_aes128_encrypt", *["tatu_internal_aes128_encrypt_and_add"] * with_addition]
    keys = list(context.words) if proof.is_avr else aes.round_keys_of(context.words, 0)
    return proof.black_box(context, functions, lambda block: aes.cipher(block, 10, keys, _substitution(proof)))


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


def keccak_add_lanes(proof: Proof) -> None:
    """Three whole lanes of a message are added to the state (FIPS 202, section 4, step 6 of algorithm 8)."""
    state = proof.secret("lanes", 200, written=True, align=8)
    data = proof.secret("input", 24)
    turns = proof.known("turns", bytes(turn for pair in KECCAK_TURNS for turn in pair))
    proof.call("tatu_internal_interleaved_add_lanes", state, data, 3, turns)
    proof.shows("tatu/sha3-256", "hash", part="its blocks")
    lanes = _lanes(proof, list(state.words))
    for at in range(3):
        lanes[at] = lanes[at] ^ little_endian(data.words[8 * at : 8 * at + 8])
    proof.equal(state, _state_of(proof, lanes))
