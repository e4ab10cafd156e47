"""Compiles Tatu as the extension module pytatu._tatu (cffi's API mode). pytatu/__init__.py is what programs use."""

from __future__ import annotations

import os
from pathlib import Path

from cffi import FFI

# setuptools wants paths relative to its setup.py.
ROOT = Path(__file__).resolve().parents[1]
HERE = Path(os.path.relpath(ROOT))
HEADERS = (
    "equal",
    "sha256",
    "sha512",
    "sha3",
    "ascon",
    "hmac_sha256",
    "hkdf_sha256",
    "chacha20_poly1305",
    "x25519",
    "ed25519",
    "p256",
    "rsa",
    "lms",
    "slh_dsa",
)

ffi = FFI()
ffi.cdef("""
int tatu_equal(const void *a, const void *b, size_t length);
void tatu_sha256(uint8_t *digest, const uint8_t *input, size_t length);
void tatu_sha384(uint8_t *digest, const uint8_t *input, size_t length);
void tatu_sha512(uint8_t *digest, const uint8_t *input, size_t length);
void tatu_sha3_256(uint8_t *digest, const uint8_t *input, size_t length);
void tatu_sha3_512(uint8_t *digest, const uint8_t *input, size_t length);
void tatu_ascon_hash256(uint8_t *digest, const uint8_t *input, size_t length);
void tatu_hmac_sha256(const uint8_t *key, size_t key_length, uint8_t *tag, const uint8_t *input, size_t length);
int tatu_hkdf_sha256(uint8_t *output, size_t output_length, const uint8_t *salt, size_t salt_length,
                     const uint8_t *secret, size_t secret_length, const uint8_t *info, size_t info_length);
int tatu_ascon_aead128_encrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                               const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                               uint8_t *tag, size_t tag_length);
int tatu_ascon_aead128_decrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                               const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                               const uint8_t *tag, size_t tag_length);
int tatu_chacha20_poly1305_encrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                                   const uint8_t *associated_data, size_t associated_data_length,
                                   const uint8_t *nonce, uint8_t *tag);
int tatu_chacha20_poly1305_decrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                                   const uint8_t *associated_data, size_t associated_data_length,
                                   const uint8_t *nonce, const uint8_t *tag);
void tatu_x25519_public_key(uint8_t *public_key, const uint8_t *secret_key);
int tatu_x25519(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_public_key);
struct tatu_ed25519_key { uint8_t public_key[32]; ...; };
void tatu_ed25519_set_key(struct tatu_ed25519_key *key, const uint8_t *secret_key);
void tatu_ed25519_sign(const struct tatu_ed25519_key *key, uint8_t *signature, const uint8_t *message, size_t length);
int tatu_ed25519_verify(const uint8_t *public_key, const uint8_t *signature, const uint8_t *message, size_t length);
int tatu_p256_public_key(uint8_t *public_key, const uint8_t *secret_key);
int tatu_p256_ecdh(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_public_key);
int tatu_p256_sign(const uint8_t *secret_key, uint8_t *signature, const uint8_t *digest);
int tatu_p256_verify(const uint8_t *public_key, const uint8_t *signature, const uint8_t *digest);
int tatu_rsa2048_verify_pkcs1(const uint8_t *modulus, uint32_t exponent, const uint8_t *signature,
                              const uint8_t *digest);
int tatu_rsa2048_verify_pss(const uint8_t *modulus, uint32_t exponent, const uint8_t *signature,
                            const uint8_t *digest);
int tatu_lms_verify(const uint8_t *public_key, const uint8_t *message, size_t length, const uint8_t *signature,
                    size_t signature_length);
int tatu_slh_dsa_sha2_128s_verify(const uint8_t *public_key, const uint8_t *message, size_t length,
                                  const uint8_t *context, size_t context_length, const uint8_t *signature,
                                  size_t signature_length);
""")
# The portable C alone: setuptools does not assemble .S files, and the host has no kernel of its own in Tatu.
ffi.set_source(
    "pytatu._tatu",
    "".join(f"#include <tatu/{name}.h>\n" for name in HEADERS),
    sources=sorted(str(HERE / path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.c")),
    include_dirs=[str(HERE / "src")],
    define_macros=[("TATU_PORTABLE", None)],
)
