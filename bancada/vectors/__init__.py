"""Official test vectors, and independent implementations for random input: what a candidate is held against."""

from __future__ import annotations

_AES_KEYS = (128, 192, 256)

# (primitive, algorithm): the key sizes for which this package knows what is right; 0 where there is no key.
_KNOWN: dict[tuple[str, str], tuple[int, ...]] = {
    ("block-cipher", "aes"): _AES_KEYS,
    ("block-cipher", "rc6"): _AES_KEYS,
    ("block-cipher", "speck128"): _AES_KEYS,
    ("block-cipher", "speck64"): (128,),
    ("hash", "sha-256"): (0,),
    ("hash", "sha3-256"): (0,),
    ("hash", "sha3-512"): (0,),
    ("hash", "ascon-hash256"): (0,),
    ("mac", "aes-cmac"): _AES_KEYS,
    ("keystream", "chacha20"): (256,),
    ("aead", "aes-ccm"): _AES_KEYS,
    ("aead", "ascon-aead128"): (128,),
    ("aead", "chacha20-poly1305"): (256,),
    ("mode", "mode-aes-cbc"): _AES_KEYS,
    ("mode", "mode-aes-ccm"): _AES_KEYS,
    ("mode", "mode-ascon-aead128"): (128,),
    ("signature", "rsa-pkcs1"): (2048,),
    ("signature", "rsa-pss"): (2048,),
    ("signature", "ecdsa-p256"): (256,),
    ("signature", "ecdsa-secp256k1"): (256,),
} | {
    ("message", f"message-{hashed}{signed}"): (key_bits,)
    for hashed in ("sha-256", "sha3-256")
    for signed, key_bits in (("", 0), ("+rsa-pkcs1", 2048), ("+ecdsa-secp256k1", 256))
}


def why_unjudged(primitive: str, algorithm: str, key_bits: int) -> str | None:
    """Why nothing can be said about an implementation's correctness; None if there are vectors for it."""
    known = _KNOWN.get((primitive, algorithm))
    if known is not None and key_bits in known:
        return None
    what = f"{primitive} '{algorithm}'" + (f" with a {key_bits}-bit key" if key_bits else "")
    offered = sorted(name for kind, name in _KNOWN if kind == primitive)
    return f"there are no vectors for the {what}, so nothing is measured; known: {', '.join(offered)} (add yours to bancada/vectors)"
