"""Official test vectors for block ciphers, and the independent implementations that check the rest.

AES: NIST's known-answer and multi-block files (AESAVS), from the package cryptography-vectors; the independent implementation is
`cryptography` (OpenSSL). Speck: the designers' vectors; the independent implementation is bancada.references.speck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import cryptography_vectors
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from bancada.references.rc6 import RC6
from bancada.references.speck import Speck

AES_KNOWN_ANSWER_TESTS = ("GFSbox", "KeySbox", "VarKey", "VarTxt")
AES_MULTI_BLOCK_TEST = "MMT"


@dataclass(frozen=True)
class Vector:
    """One message and its ciphertext; `iv` is None in ECB."""

    name: str
    decrypting: bool
    key: bytes
    iv: bytes | None
    data: bytes
    expected: bytes


def _sections(file_name: str) -> Iterator[tuple[bool, dict[str, str]]]:
    """The entries of a CAVP response file, with whether each stands under [DECRYPT]."""
    with cryptography_vectors.open_vector_file(file_name, "r") as file:
        lines = [line.strip() for line in file]
    decrypting = False
    entry: dict[str, str] = {}
    for line in [*lines, ""]:
        if line in ("[ENCRYPT]", "[DECRYPT]"):
            decrypting = line == "[DECRYPT]"
        elif " = " in line and not line.startswith("#"):
            name, value = line.split(" = ", 1)
            entry[name] = value
        elif not line and "KEY" in entry:
            yield decrypting, entry
            entry = {}


@cache
def aes_vectors(mode: str, test: str, key_bits: int) -> tuple[Vector, ...]:
    """The vectors of one file, for example ('CBC', 'VarTxt', 192)."""
    found = []
    for decrypting, entry in _sections(f"ciphers/AES/{mode}/{mode}{test}{key_bits}.rsp"):
        plaintext, ciphertext = bytes.fromhex(entry["PLAINTEXT"]), bytes.fromhex(entry["CIPHERTEXT"])
        found.append(
            Vector(
                name=f"AESAVS {mode}{test}{key_bits} {'decrypt' if decrypting else 'encrypt'} COUNT = {entry['COUNT']}",
                decrypting=decrypting,
                key=bytes.fromhex(entry["KEY"]),
                iv=bytes.fromhex(entry["IV"]) if "IV" in entry else None,
                data=ciphertext if decrypting else plaintext,
                expected=plaintext if decrypting else ciphertext,
            )
        )
    if not found:
        raise ValueError(f"no vectors in {mode}{test}{key_bits}.rsp")
    return tuple(found)


# The paper's appendix C, in the byte order of the Implementation Guide: key, plaintext, ciphertext.
_DESIGNERS = {
    ("speck128", 128): (bytes(range(16)), "206d616465206974206571756976616c", "180d575cdffe60786532787951985da6"),
    ("speck128", 192): (bytes(range(24)), "656e7420746f20436869656620486172", "86183ce05d18bcf9665513133acfe41b"),
    ("speck128", 256): (bytes(range(32)), "706f6f6e65722e20496e2074686f7365", "438f189c8db4ee4e3ef5c00504010941"),
    ("speck64", 128): (
        bytes([0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]),
        "2d4375747465723b",
        "8b024e4548a56f8c",
    ),
}


def designers_vectors(algorithm: str, key_bits: int) -> tuple[Vector, ...]:
    """The designers' vector, in both directions."""
    key, plaintext_hex, ciphertext_hex = _DESIGNERS[algorithm, key_bits]
    plaintext, ciphertext = bytes.fromhex(plaintext_hex), bytes.fromhex(ciphertext_hex)
    name = f"designers' vector {algorithm} with a {key_bits}-bit key"
    return (
        Vector(f"{name}, encrypt", False, key, None, plaintext, ciphertext),
        Vector(f"{name}, decrypt", True, key, None, ciphertext, plaintext),
    )


# R. Rivest et al., "The RC6 Block Cipher", appendix: key, plaintext, ciphertext.
_DESIGNERS.update(
    {
        ("rc6", 128): (
            bytes.fromhex("0123456789abcdef0112233445566778"),
            "02132435465768798a9bacbdcedfe0f1",
            "524e192f4715c6231f51f6367ea43f18",
        ),
        ("rc6", 192): (
            bytes.fromhex("0123456789abcdef0112233445566778899aabbccddeeff0"),
            "02132435465768798a9bacbdcedfe0f1",
            "688329d019e505041e52e92af95291d4",
        ),
        ("rc6", 256): (
            bytes.fromhex("0123456789abcdef0112233445566778899aabbccddeeff01032547698badcfe"),
            "02132435465768798a9bacbdcedfe0f1",
            "c8241816f0d7e48920ad16a1674e5d48",
        ),
    }
)

BlockFunction = Callable[[bytes], bytes]


def independent_block(algorithm: str, key: bytes, decrypting: bool) -> BlockFunction:
    """One-block encryption or decryption by the independent implementation."""
    if algorithm == "aes":
        context = Cipher(algorithms.AES(key), modes.ECB())
        return (context.decryptor() if decrypting else context.encryptor()).update
    cipher = RC6(key) if algorithm == "rc6" else Speck({"speck128": 64, "speck64": 32}[algorithm], key)
    return cipher.decrypt if decrypting else cipher.encrypt
