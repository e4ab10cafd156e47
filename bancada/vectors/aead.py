"""Official vectors and independent implementations of authenticated encryption.

AES-CCM: NIST CAVP and `cryptography`. ChaCha20-Poly1305: RFC 8439's and BoringSSL's vectors and `cryptography`.
Ascon-AEAD128: bancada.references.ascon, which a test holds against the designers' file of known answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cryptography_vectors
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, ChaCha20Poly1305

from bancada.references.ascon import aead128_encrypt


@dataclass(frozen=True)
class Sealed:
    """A message, what authenticates it, and its ciphertext and tag."""

    name: str
    key: bytes
    nonce: bytes
    associated: bytes
    plaintext: bytes
    ciphertext: bytes
    tag: bytes


def seal(algorithm: str, key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    """Ciphertext and tag by the independent implementation."""
    if algorithm == "ascon-aead128":
        ciphertext, tag = aead128_encrypt(key, nonce, associated, plaintext)
        return ciphertext, tag[:tag_bytes]
    if algorithm == "aes-ccm":
        sealed = AESCCM(key, tag_length=tag_bytes).encrypt(nonce, plaintext, associated)
    else:
        sealed = ChaCha20Poly1305(key).encrypt(nonce, plaintext, associated)
    return sealed[: len(plaintext)], sealed[len(plaintext) :]


def _text(value: str) -> bytes:
    return value[1:-1].encode() if value.startswith('"') else bytes.fromhex(value)


@cache
def _chacha20_poly1305_vectors() -> tuple[Sealed, ...]:
    found = []
    entry: dict[str, str] = {}
    with cryptography_vectors.open_vector_file("ciphers/ChaCha20Poly1305/boringssl.txt", "r") as file:
        lines = [*file, ""]
    for line in lines:
        name, separator, value = line.strip().partition("=")
        if separator and not line.startswith("#"):
            entry[name.strip()] = value.strip()
        elif "TAG" in entry:
            parts = [_text(entry[part]) for part in ("KEY", "NONCE", "AD", "IN", "CT", "TAG")]
            found.append(Sealed(f"BoringSSL ChaCha20-Poly1305 COUNT = {entry['COUNT']}", *parts))
            entry = {}
    return tuple(found)


@cache
def ccm_vectors(test: str, varied: str, key_bits: int) -> tuple[Sealed, ...]:
    """One of CAVP's files: 'VADT', whose 'Alen' varies (nonces of 13 bytes, tags of 16), or 'VNT', whose 'Nlen' does."""
    found = []
    state: dict[str, str] = {}
    with cryptography_vectors.open_vector_file(f"ciphers/AES/CCM/{test}{key_bits}.rsp", "r") as file:
        for line in file:
            name, separator, value = line.strip().strip("[]").partition("=")
            if not separator or line.startswith("#"):
                continue
            state[name.strip()] = value.strip()
            if name.strip() != "CT":
                continue
            plaintext, sealed = bytes.fromhex(state["Payload"]), bytes.fromhex(state["CT"])
            found.append(
                Sealed(
                    name=f"CAVP CCM {test}{key_bits} {varied} = {state[varied]} Count = {state['Count']}",
                    key=bytes.fromhex(state["Key"]),
                    nonce=bytes.fromhex(state["Nonce"]),
                    associated=bytes.fromhex(state["Adata"])[: int(state["Alen"])],
                    plaintext=plaintext,
                    ciphertext=sealed[: len(plaintext)],
                    tag=sealed[len(plaintext) :],
                )
            )
    return tuple(found)


def _ascon_vectors() -> tuple[Sealed, ...]:
    """Inputs as in the designers' file of known answers: bytes that count, all lengths from 0 to 32."""
    key = nonce = bytes(range(16))
    found = []
    for length in range(33):
        plaintext, associated = bytes(range(length)), bytes(range((7 * length) % 33))
        ciphertext, tag = aead128_encrypt(key, nonce, associated, plaintext)
        name = f"Ascon-AEAD128 known answer, {length} B of plaintext, {len(associated)} B associated"
        found.append(Sealed(name, key, nonce, associated, plaintext, ciphertext, tag))
    return tuple(found)


def official_sealed(algorithm: str, key_bits: int) -> tuple[Sealed, ...]:
    """The official vectors of an algorithm."""
    if algorithm == "ascon-aead128":
        return _ascon_vectors()
    return ccm_vectors("VADT", "Alen", key_bits) if algorithm == "aes-ccm" else _chacha20_poly1305_vectors()
