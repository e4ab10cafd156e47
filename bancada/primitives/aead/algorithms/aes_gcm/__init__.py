"""AES-GCM (NIST SP 800-38D) with nonces of 12 bytes. Vectors: NIST CAVP. Second implementation: `cryptography`."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed, parted
from bancada.primitives.vector_files import fields

TAG_BYTES = 16
# Of the fifteen vectors of each combination of lengths.
COUNTS = ("0", "7", "14")


@cache
def _vectors(key_bits: int) -> tuple[Sealed, ...]:
    found = []
    state: dict[str, str] = {}
    for name, value in fields(f"ciphers/AES/GCM/gcmEncryptExtIV{key_bits}.rsp"):
        if name == "[":
            varied, _, length = value.partition("=")
            state[varied.strip()] = length.strip()
            continue
        state[name] = value
        chosen = state.get("Count") in COUNTS and state["IVlen"] == "96" and state["Taglen"] == str(8 * TAG_BYTES)
        if name == "Tag" and chosen:
            parts = (bytes.fromhex(state[part]) for part in ("Key", "IV", "AAD", "PT", "CT", "Tag"))
            lengths = f"PTlen = {state['PTlen']} AADlen = {state['AADlen']}"
            found.append(Sealed(f"CAVP GCM {key_bits} {lengths} Count = {state['Count']}", *parts))
    return tuple(found)


def _seal(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    ciphertext, tag = parted(AESGCM(key).encrypt(nonce, plaintext, associated), plaintext)
    return ciphertext, tag[:tag_bytes]


ALGORITHM = AeadAlgorithm(
    name="aes-gcm",
    title="AES-GCM",
    key_bits=(128, 192, 256),
    sizes={"nonce_bytes": 12, "tag_bytes": TAG_BYTES},
    vectors=_vectors,
    seal=_seal,
)
