"""AES with three key sizes: the key schedule, one block, and two blocks at once.

Round keys are inputs here, whatever they are: a proof of `set_key` and one of `encrypt` together show the cipher.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bancada.formulas.word import Word
from bancada.primitives.block_cipher.algorithms.aes import specification as aes
from bancada.prove.proof import Proof

from .names import shows

ProofFunction = Callable[[Proof], None]
PROOFS: dict[str, ProofFunction] = {}


# FIPS 197, table 3: rounds by bytes of the key.
AES_ROUNDS = {16: 10, 24: 12, 32: 14}


def substitution(proof: Proof) -> aes.Substitution:
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
        shows(proof, function)
        keys = aes.key_expansion(key.words, rounds, substitution(proof))
        proof.equal(context, keys if proof.is_avr else aes.planes_of(keys))

    return proved


def _has_tables(proof: Proof) -> bool:
    """Whether the variant ram of this program for a Cortex-M has tables in RAM (TATU_AES_TABLES_IN_RAM)."""
    parts = (f"tatu_internal_aes_ram_{part}" for part in ("expand_key", "encrypt", "decrypt"))
    return proof.is_cortex_m and any(part in proof.program.functions for part in parts)


def _aes_ram_set_key(function: str, key_bytes: int) -> ProofFunction:
    """With tables on a Cortex-M, the round keys of the equivalent inverse cipher (FIPS 197, section 5.3.5) follow, in
    its order: the last key comes first, and serves both."""
    elsewhere = _aes_set_key(function, key_bytes)

    def proved(proof: Proof) -> None:
        if not _has_tables(proof):
            elsewhere(proof)
            return
        proof.reads_tables_in_ram()
        rounds = AES_ROUNDS[key_bytes]
        context = proof.output("context", 16 * (2 * rounds + 1), align=4)
        key = proof.secret("key", key_bytes)
        proof.call(function, context, key)
        shows(proof, function)
        keys = aes.key_expansion(key.words, rounds)
        made = list(keys)
        for number in range(rounds - 1, 0, -1):
            made += aes.inv_mix_columns(keys[16 * number : 16 * number + 16])
        proof.equal(context, made + keys[:16])

    return proved


def _aes_ram(function: str, key_bytes: int, is_inverse: bool = False) -> ProofFunction:
    """One block."""
    elsewhere = _aes(function, key_bytes, True, is_inverse)

    def proved(proof: Proof) -> None:
        if not _has_tables(proof):
            elsewhere(proof)
            return
        proof.reads_tables_in_ram()
        rounds = AES_ROUNDS[key_bytes]
        context = proof.secret("context", 16 * (2 * rounds + 1), align=4)
        block = proof.secret("block", 16)
        output = proof.output("output", 16)
        proof.call(function, context, output, block)
        shows(proof, function)
        keys = [context.words[at : at + 16] for at in range(0, context.size, 16)]
        if is_inverse:
            flat = [byte for key in reversed(keys[rounds:]) for byte in key]
            proof.equal(output, aes.eq_inv_cipher(block.words, rounds, flat))
        else:
            flat = [byte for key in keys[: rounds + 1] for byte in key]
            proof.equal(output, aes.cipher(block.words, rounds, flat))

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
        shows(proof, function)
        keys = list(context.words)
        if not is_expanded:
            keys = aes.key_expansion(context.words, rounds, substitution(proof))
        elif is_sliced:
            keys = aes.round_keys_of(context.words, 0)
        if is_inverse:
            proof.equal(output, aes.inv_cipher(block.words, rounds, keys, _inverse(proof)))
        else:
            proof.equal(output, aes.cipher(block.words, rounds, keys, substitution(proof)))

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
                made += aes.cipher(block, rounds, keys, substitution(proof))
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
        shows(proof, function)
        keys = aes.key_expansion(context.words, rounds, substitution(proof))
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
        shows(proof, f"{name}_small_decrypt")
        keys = aes.key_expansion(key.words, rounds, substitution(proof))
        proof.equal(output, aes.inv_cipher(block.words, rounds, keys, _inverse(proof)))

    return proved


def aes128_tiny_set_key(proof: Proof) -> None:
    """The context is the key."""
    context = proof.output("context", 16)
    key = proof.secret("key", 16)
    proof.call("tatu_aes128_tiny_set_key", context, key)
    shows(proof, "tatu_aes128_tiny_set_key")
    proof.equal(context, key.words)


# The bytes of a state (FIPS 197, section 3.4) by rows; and what SHIFTROWS and its inverse do to halves of that.
BY_ROWS = bytes(row + 4 * column for row in range(4) for column in range(4))
SHIFTED_HALVES = {
    "encrypt": bytes((0, 1, 2, 3, 5, 6, 7, 4, 2, 3, 0, 1, 7, 4, 5, 6)),
    "decrypt": bytes((0, 1, 2, 3, 7, 4, 5, 6, 2, 3, 0, 1, 5, 6, 7, 4)),
}
# Which bit of a key's byte is in which of the eight planes.
KEY_BITS = {"encrypt": (1, 0, 2, 3, 4, 7, 6, 5), "decrypt": (1, 7, 0, 4, 2, 6, 3, 5)}
# The S-box's constant, which the keys make up for.
CONSTANT = 0x63


def _aes_eight_blocks(operation: str, key_bytes: int) -> ProofFunction:
    """Eight blocks at once with NEON on an Armv7-A. The keys between the first and the last are planes: any planes,
    which are round keys of their own for each block."""

    def proved(proof: Proof) -> None:
        proof.is_for("armv7-a")
        rounds = AES_ROUNDS[key_bytes]
        is_inverse = operation == "decrypt"
        output_order = bytes(
            BY_ROWS.index(row + 4 * ((column - row if is_inverse else column + row) % 4))
            for column in range(4)
            for row in range(4)
        )
        planes = proof.known("planes", SHIFTED_HALVES[operation], align=16)
        proof.room("room for planes", 11 * 16)
        first = proof.secret_behind("first key", 16)
        proof.known_behind("order of the input", BY_ROWS)
        last = proof.secret_behind("last key", 16)
        proof.known_behind("order of the output", output_order)
        keys = proof.secret_behind("keys", 128 * (rounds - 1))
        blocks = proof.secret("blocks", 128)
        output = proof.output("output", 128)
        proof.call(f"tatu_internal_aes_{operation}_eight", planes, rounds - 1, output, blocks)
        proof.shows(f"tatu/aes{8 * key_bytes}", operation, part="eight blocks at once")
        with_constant = {"encrypt": last, "decrypt": first}[operation]
        ends = [[byte ^ CONSTANT if each is with_constant else byte for byte in each.words] for each in (first, last)]
        made: list[Word] = []
        for number in range(8):
            round_keys = [ends[0]]
            for at in range(0, 128 * (rounds - 1), 128):
                round_keys.append(_key_of(keys.words[at : at + 128], number, KEY_BITS[operation]))
            round_keys.append(ends[1])
            block = blocks.words[16 * number : 16 * number + 16]
            if is_inverse:
                flat = [byte for each in reversed(round_keys) for byte in each]
                made += aes.inv_cipher(block, rounds, flat, aes.inverse_by_own_circuit)
            else:
                made += aes.cipher(block, rounds, [byte for each in round_keys for byte in each], aes.by_circuit)
        proof.equal(output, made)

    return proved


def _key_of(planes: Sequence[Word], block: int, bits: Sequence[int]) -> list[Word]:
    """The round key of a block: plane i has bit bits[i] of all bytes, by rows, and in each byte a bit of each block."""
    key: list[Word] = []
    for at in range(16):
        place = BY_ROWS.index(at)
        made = tuple(planes[16 * bits.index(bit) + place].bits[block] for bit in range(8))
        key.append(Word(planes[0].graph, made) ^ CONSTANT)
    return key


for key_bytes in AES_ROUNDS:
    name = f"aes{8 * key_bytes}"
    PROOFS[f"{name}_set_key"] = _aes_set_key(f"tatu_{name}_set_key", key_bytes)
    for operation in ("encrypt", "decrypt"):
        PROOFS[f"{name}_two_blocks_{operation}"] = _aes_two_blocks(
            f"tatu_internal_aes_fixsliced_{operation}", key_bytes, is_inverse=operation == "decrypt"
        )
        PROOFS[f"{name}_eight_blocks_{operation}"] = _aes_eight_blocks(operation, key_bytes)
    PROOFS[f"{name}_ram_set_key"] = _aes_ram_set_key(f"tatu_{name}_ram_set_key", key_bytes)
    PROOFS[f"{name}_encrypt_and_add"] = _aes_encrypt_and_add(f"tatu_internal_{name}_encrypt_and_add", key_bytes)
    PROOFS[f"{name}_encrypt"] = _aes(f"tatu_{name}_encrypt", key_bytes, True)
    PROOFS[f"{name}_decrypt"] = _aes(f"tatu_{name}_decrypt", key_bytes, True, is_inverse=True)
    PROOFS[f"{name}_ram_encrypt"] = _aes_ram(f"tatu_{name}_ram_encrypt", key_bytes)
    PROOFS[f"{name}_ram_decrypt"] = _aes_ram(f"tatu_{name}_ram_decrypt", key_bytes, is_inverse=True)
    for variant in ("_small", "_tiny"):
        PROOFS[f"{name}{variant}_encrypt"] = _aes(f"tatu_{name}{variant}_encrypt", key_bytes, False)
    PROOFS[f"{name}_tiny_decrypt"] = _aes_tiny_decrypt(f"tatu_{name}_tiny_decrypt", key_bytes)
    PROOFS[f"{name}_small_decrypt"] = _aes_small_decrypt(f"tatu_{name}", key_bytes)
