"""Tatu for programs on the host that talk to devices with Tatu: whole messages, as bytes.

It is Tatu's portable C, so it computes what the device computes. The host's own libraries are faster.
"""

from __future__ import annotations

from pytatu._tatu import ffi, lib

__all__ = [
    "AuthenticationError",
    "ascon_aead128_decrypt",
    "ascon_aead128_encrypt",
    "ascon_hash256",
    "chacha20_poly1305_decrypt",
    "chacha20_poly1305_encrypt",
    "ed25519_public_key",
    "ed25519_sign",
    "ed25519_verify",
    "equal",
    "hkdf_sha256",
    "hmac_sha256",
    "lms_verify",
    "p256_ecdh",
    "p256_public_key",
    "p256_sign",
    "p256_verify",
    "rsa2048_verify_pkcs1",
    "rsa2048_verify_pss",
    "sha3_256",
    "sha3_512",
    "sha256",
    "sha384",
    "sha512",
    "slh_dsa_sha2_128s_verify",
    "x25519",
    "x25519_public_key",
]

_OK, _ERR_LENGTH, _ERR_AUTHENTICATION, _ERR_KEY = 0, -1, -4, -6
TAG_BYTES = 16


class AuthenticationError(Exception):
    """The tag or the signature does not match. There is no plaintext."""


def _need(value: bytes, length: int, name: str) -> bytes:
    """ValueError unless the value has that length: C would read beyond it."""
    if len(value) != length:
        raise ValueError(f"{name} has {len(value)} bytes and must have {length}")
    return value


def _check(code: int) -> None:
    if code == _ERR_AUTHENTICATION:
        raise AuthenticationError("the tag or signature does not match")
    if code == _ERR_KEY:
        raise ValueError("this public key must not be used")
    if code == _ERR_LENGTH:
        raise ValueError("a length that the function cannot take")
    if code != _OK:
        raise RuntimeError(f"Tatu's error {code}")


def _digest(function: object, length: int, message: bytes) -> bytes:
    digest = ffi.new("uint8_t[]", length)
    function(digest, message, len(message))  # type: ignore[operator]
    return bytes(ffi.buffer(digest))


def sha256(message: bytes) -> bytes:
    """SHA-256 (FIPS 180-4)."""
    return _digest(lib.tatu_sha256, 32, message)


def sha384(message: bytes) -> bytes:
    """SHA-384 (FIPS 180-4)."""
    return _digest(lib.tatu_sha384, 48, message)


def sha512(message: bytes) -> bytes:
    """SHA-512 (FIPS 180-4)."""
    return _digest(lib.tatu_sha512, 64, message)


def sha3_256(message: bytes) -> bytes:
    """SHA3-256 (FIPS 202)."""
    return _digest(lib.tatu_sha3_256, 32, message)


def sha3_512(message: bytes) -> bytes:
    """SHA3-512 (FIPS 202)."""
    return _digest(lib.tatu_sha3_512, 64, message)


def ascon_hash256(message: bytes) -> bytes:
    """Ascon-Hash256 (NIST SP 800-232)."""
    return _digest(lib.tatu_ascon_hash256, 32, message)


def equal(a: bytes, b: bytes) -> bool:
    """Whether both are equal. The time depends on the lengths only."""
    return len(a) == len(b) and lib.tatu_equal(a, b, len(a)) == 1


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 (RFC 2104)."""
    tag = ffi.new("uint8_t[32]")
    lib.tatu_hmac_sha256(key, len(key), tag, message, len(message))
    return bytes(ffi.buffer(tag))


def hkdf_sha256(secret: bytes, length: int, *, salt: bytes = b"", info: bytes = b"") -> bytes:
    """HKDF with SHA-256 (RFC 5869). ValueError for more than 8,160 bytes."""
    output = ffi.new("uint8_t[]", length)
    _check(lib.tatu_hkdf_sha256(output, length, salt, len(salt), secret, len(secret), info, len(info)))
    return bytes(ffi.buffer(output))


def ascon_aead128_encrypt(key: bytes, nonce: bytes, message: bytes, associated_data: bytes = b"") -> bytes:
    """Ascon-AEAD128 (NIST SP 800-232): the ciphertext and the tag of 16 bytes. A nonce must never come twice."""
    output, tag = ffi.new("uint8_t[]", len(message)), ffi.new("uint8_t[]", TAG_BYTES)
    _need(key, 16, "the key"), _need(nonce, 16, "the nonce")
    given = (output, message, len(message), associated_data, len(associated_data), nonce)
    _check(lib.tatu_ascon_aead128_encrypt(key, *given, tag, TAG_BYTES))
    return bytes(ffi.buffer(output)) + bytes(ffi.buffer(tag))


def ascon_aead128_decrypt(key: bytes, nonce: bytes, sealed: bytes, associated_data: bytes = b"") -> bytes:
    """The message. AuthenticationError if the tag at the end of `sealed` does not match."""
    text, tag = _split(sealed)
    output = ffi.new("uint8_t[]", len(text))
    _need(key, 16, "the key"), _need(nonce, 16, "the nonce")
    given = (output, text, len(text), associated_data, len(associated_data), nonce)
    _check(lib.tatu_ascon_aead128_decrypt(key, *given, tag, TAG_BYTES))
    return bytes(ffi.buffer(output))


def chacha20_poly1305_encrypt(key: bytes, nonce: bytes, message: bytes, associated_data: bytes = b"") -> bytes:
    """ChaCha20-Poly1305 (RFC 8439): the ciphertext and the tag of 16 bytes. A nonce must never come twice."""
    output, tag = ffi.new("uint8_t[]", len(message)), ffi.new("uint8_t[]", TAG_BYTES)
    _need(key, 32, "the key"), _need(nonce, 12, "the nonce")
    given = (output, message, len(message), associated_data, len(associated_data), nonce)
    _check(lib.tatu_chacha20_poly1305_encrypt(key, *given, tag))
    return bytes(ffi.buffer(output)) + bytes(ffi.buffer(tag))


def chacha20_poly1305_decrypt(key: bytes, nonce: bytes, sealed: bytes, associated_data: bytes = b"") -> bytes:
    """The message. AuthenticationError if the tag at the end of `sealed` does not match."""
    text, tag = _split(sealed)
    output = ffi.new("uint8_t[]", len(text))
    _need(key, 32, "the key"), _need(nonce, 12, "the nonce")
    given = (output, text, len(text), associated_data, len(associated_data), nonce)
    _check(lib.tatu_chacha20_poly1305_decrypt(key, *given, tag))
    return bytes(ffi.buffer(output))


def _split(sealed: bytes) -> tuple[bytes, bytes]:
    if len(sealed) < TAG_BYTES:
        raise AuthenticationError("there is no whole tag")
    return sealed[:-TAG_BYTES], sealed[-TAG_BYTES:]


def x25519_public_key(secret_key: bytes) -> bytes:
    """X25519 (RFC 7748): the public key of a secret one."""
    public_key = ffi.new("uint8_t[32]")
    lib.tatu_x25519_public_key(public_key, _need(secret_key, 32, "the secret key"))
    return bytes(ffi.buffer(public_key))


def x25519(secret_key: bytes, peer_public_key: bytes) -> bytes:
    """X25519 (RFC 7748): the shared secret. ValueError for a public key with which everybody would know it."""
    shared = ffi.new("uint8_t[32]")
    _need(secret_key, 32, "the secret key"), _need(peer_public_key, 32, "the public key")
    _check(lib.tatu_x25519(shared, secret_key, peer_public_key))
    return bytes(ffi.buffer(shared))


def ed25519_public_key(secret_key: bytes) -> bytes:
    """Ed25519 (RFC 8032): the public key of 32 secret bytes."""
    key = ffi.new("struct tatu_ed25519_key *")
    lib.tatu_ed25519_set_key(key, _need(secret_key, 32, "the secret key"))
    return bytes(ffi.buffer(key.public_key))


def ed25519_sign(secret_key: bytes, message: bytes) -> bytes:
    """Ed25519 (RFC 8032): the signature of a message, 64 bytes."""
    key, signature = ffi.new("struct tatu_ed25519_key *"), ffi.new("uint8_t[64]")
    lib.tatu_ed25519_set_key(key, _need(secret_key, 32, "the secret key"))
    lib.tatu_ed25519_sign(key, signature, message, len(message))
    return bytes(ffi.buffer(signature))


def ed25519_verify(public_key: bytes, signature: bytes, message: bytes) -> None:
    """Ed25519 (RFC 8032). AuthenticationError if the signature does not hold, ValueError if the public key is none."""
    _need(public_key, 32, "the public key"), _need(signature, 64, "the signature")
    _check(lib.tatu_ed25519_verify(public_key, signature, message, len(message)))


def p256_public_key(secret_key: bytes) -> bytes:
    """P-256: x and y, 64 bytes. ValueError for 0 and for what is not below the order."""
    public_key = ffi.new("uint8_t[64]")
    _check(lib.tatu_p256_public_key(public_key, _need(secret_key, 32, "the secret key")))
    return bytes(ffi.buffer(public_key))


def p256_ecdh(secret_key: bytes, peer_public_key: bytes) -> bytes:
    """ECDH on P-256 (SP 800-56A): the shared secret. ValueError for a key that is none."""
    shared = ffi.new("uint8_t[32]")
    _need(secret_key, 32, "the secret key"), _need(peer_public_key, 64, "the public key")
    _check(lib.tatu_p256_ecdh(shared, secret_key, peer_public_key))
    return bytes(ffi.buffer(shared))


def p256_sign(secret_key: bytes, digest: bytes) -> bytes:
    """ECDSA on P-256 with the nonce of RFC 6979: r and s of a digest of SHA-256. ValueError for a key that is none."""
    signature = ffi.new("uint8_t[64]")
    _need(secret_key, 32, "the secret key"), _need(digest, 32, "the digest")
    _check(lib.tatu_p256_sign(secret_key, signature, digest))
    return bytes(ffi.buffer(signature))


def p256_verify(public_key: bytes, signature: bytes, digest: bytes) -> None:
    """ECDSA on P-256. AuthenticationError if the signature does not hold, ValueError if the public key is none."""
    _need(public_key, 64, "the public key"), _need(signature, 64, "the signature"), _need(digest, 32, "the digest")
    _check(lib.tatu_p256_verify(public_key, signature, digest))


def rsa2048_verify_pkcs1(modulus: bytes, exponent: int, signature: bytes, digest: bytes) -> None:
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017). AuthenticationError if the signature does not hold."""
    _need(modulus, 256, "the modulus"), _need(digest, 32, "the digest"), _need(signature, 256, "the signature")
    _check(lib.tatu_rsa2048_verify_pkcs1(modulus, exponent, signature, digest))


def rsa2048_verify_pss(modulus: bytes, exponent: int, signature: bytes, digest: bytes) -> None:
    """RSASSA-PSS with SHA-256 and a salt of 32 bytes (RFC 8017). AuthenticationError if the signature does not hold."""
    _need(modulus, 256, "the modulus"), _need(digest, 32, "the digest"), _need(signature, 256, "the signature")
    _check(lib.tatu_rsa2048_verify_pss(modulus, exponent, signature, digest))


def lms_verify(public_key: bytes, message: bytes, signature: bytes) -> None:
    """LMS with SHA-256 (RFC 8554). AuthenticationError if the signature does not hold."""
    _need(public_key, 56, "the public key")
    _check(lib.tatu_lms_verify(public_key, message, len(message), signature, len(signature)))


def slh_dsa_sha2_128s_verify(public_key: bytes, message: bytes, signature: bytes, context: bytes = b"") -> None:
    """SLH-DSA-SHA2-128s (FIPS 205). AuthenticationError if the signature does not hold."""
    _need(public_key, 32, "the public key")
    given = (public_key, message, len(message), context, len(context), signature, len(signature))
    _check(lib.tatu_slh_dsa_sha2_128s_verify(*given))
