"""3DES with three keys (NIST SP 800-67, FIPS 46-3), which is withdrawn: studies compare with it.

Vectors: NIST's known-answer and multi-block files. Second implementation: `cryptography` (OpenSSL).
"""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

from bancada.primitives.block_cipher.algorithm import BlockCipherAlgorithm, BlockFunction, Vector
from bancada.primitives.vector_files import entries

_TESTS = ("invperm", "permop", "subtab", "varkey", "vartext", "MMT3")


def _key(entry: dict[str, str]) -> bytes:
    """A known answer has one key of 64 bits, three times; a message of several blocks has three keys."""
    keys = [entry["keys"]] * 3 if "keys" in entry else [entry[f"key{number}"] for number in (1, 2, 3)]
    return bytes.fromhex("".join(keys))


def _vectors(key_bits: int) -> Iterator[Vector]:
    for test in _TESTS:
        for heading, entry in entries(f"ciphers/3DES/ECB/TECB{test}.rsp"):
            if "count" not in entry:
                continue
            decrypting = heading == "DECRYPT"
            texts = [bytes.fromhex(entry[name]) for name in ("plaintext", "ciphertext")]
            yield Vector(
                name=f"CAVP TECB{test} {heading.lower()} COUNT = {entry['count']}",
                decrypting=decrypting,
                key=_key(entry),
                iv=None,
                data=texts[decrypting],
                expected=texts[not decrypting],
            )


def _block(key: bytes, decrypting: bool) -> BlockFunction:
    context = Cipher(TripleDES(key), modes.ECB())
    return (context.decryptor() if decrypting else context.encryptor()).update


ALGORITHM = BlockCipherAlgorithm(
    name="triple-des",
    title="3DES",
    key_bits=(192,),
    sizes={"block_bytes": 8},
    vectors=_vectors,
    block=_block,
)
