"""AES-CCM (NIST SP 800-38C). Vectors: NIST CAVP. Second implementation: `cryptography` (OpenSSL)."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from bancada.primitives.aead.algorithm import AeadAlgorithm, Sealed, parted
from bancada.primitives.vector_files import fields


@cache
def ccm_vectors(test: str, varied: str, key_bits: int) -> tuple[Sealed, ...]:
    """One of CAVP's files:

    'VADT', whose 'Alen' varies (nonces of 13 bytes, tags of 16), or 'VNT', whose 'Nlen' does.
    """
    found = []
    state: dict[str, str] = {}
    for name, value in fields(f"ciphers/AES/CCM/{test}{key_bits}.rsp"):
        if name == "[":
            varied_now, _, value_now = value.partition("=")
            state[varied_now.strip()] = value_now.strip()
            continue
        state[name] = value
        if name != "CT":
            continue
        plaintext = bytes.fromhex(state["Payload"])
        ciphertext, tag = parted(bytes.fromhex(state["CT"]), plaintext)
        found.append(
            Sealed(
                name=f"CAVP CCM {test}{key_bits} {varied} = {state[varied]} Count = {state['Count']}",
                key=bytes.fromhex(state["Key"]),
                nonce=bytes.fromhex(state["Nonce"]),
                associated=bytes.fromhex(state["Adata"])[: int(state["Alen"])],
                plaintext=plaintext,
                ciphertext=ciphertext,
                tag=tag,
            )
        )
    return tuple(found)


def _vectors(key_bits: int) -> tuple[Sealed, ...]:
    return ccm_vectors("VADT", "Alen", key_bits)


def _seal(key: bytes, nonce: bytes, associated: bytes, plaintext: bytes, tag_bytes: int) -> tuple[bytes, bytes]:
    return parted(AESCCM(key, tag_length=tag_bytes).encrypt(nonce, plaintext, associated), plaintext)


ALGORITHM = AeadAlgorithm(
    name="aes-ccm",
    title="AES-CCM",
    key_bits=(128, 192, 256),
    sizes={"nonce_bytes": 13, "tag_bytes": 16},
    vectors=_vectors,
    seal=_seal,
)
