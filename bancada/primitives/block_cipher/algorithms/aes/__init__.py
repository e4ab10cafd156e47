"""AES (FIPS 197).

Vectors: NIST's known-answer and multi-block files (AESAVS). Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm, BlockFunction, Vector
from bancada.primitives.vector_files import entries

# AESAVS 6.1, 6.2: known answers; 6.3: messages of several blocks.
_TESTS = ("GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT")


@cache
def _file(mode: str, test: str, key_bits: int) -> tuple[Vector, ...]:
    """The vectors of one file, for example ('CBC', 'VarTxt', 192)."""
    found = []
    for heading, entry in entries(f"ciphers/AES/{mode}/{mode}{test}{key_bits}.rsp"):
        if "key" not in entry:
            continue
        decrypting = heading == "DECRYPT"
        plaintext, ciphertext = bytes.fromhex(entry["plaintext"]), bytes.fromhex(entry["ciphertext"])
        found.append(
            Vector(
                name=f"AESAVS {mode}{test}{key_bits} {'decrypt' if decrypting else 'encrypt'} COUNT = {entry['count']}",
                decrypting=decrypting,
                key=bytes.fromhex(entry["key"]),
                iv=bytes.fromhex(entry["iv"]) if "iv" in entry else None,
                data=ciphertext if decrypting else plaintext,
                expected=plaintext if decrypting else ciphertext,
            )
        )
    if not found:
        raise ValueError(f"no vectors in {mode}{test}{key_bits}.rsp")
    return tuple(found)


def _vectors(mode: str, key_bits: int) -> Iterator[Vector]:
    for test in _TESTS:
        yield from _file(mode, test, key_bits)


def ecb_vectors(key_bits: int) -> Iterator[Vector]:
    """Every vector of ECB for a size of key."""
    return _vectors("ECB", key_bits)


def cbc_vectors(key_bits: int) -> Iterator[Vector]:
    """Every vector of CBC for a size of key."""
    return _vectors("CBC", key_bits)


def _block(key: bytes, decrypting: bool) -> BlockFunction:
    context = Cipher(algorithms.AES(key), modes.ECB())
    return (context.decryptor() if decrypting else context.encryptor()).update


ALGORITHM = BlockCipherAlgorithm(
    name="aes",
    title="AES",
    key_bits=(128, 192, 256),
    sizes={"block_bytes": 16},
    vectors=ecb_vectors,
    block=_block,
    cbc_vectors=cbc_vectors,
    is_in_aesavs=True,
)
