/* Tatu: key exchange and signatures on secp256k1 (SEC 2, section 2.4.1): ECDH (SP 800-56A) and ECDSA (FIPS 186-5,
 * RFC 6979).
 *
 * X25519 and Ed25519 (tatu/x25519.h, tatu/ed25519.h) are smaller, faster and harder to misuse. Use secp256k1 where the
 * other end asks for it, as ledgers of payments do.
 *
 * Safe use, in short:
 *   - **Know whose public key it is.** Store the other end's public key in the device, or have it signed by a key that
 *     is stored there. A public key alone says nothing about who sent it.
 *   - Make secret keys with a generator of random bytes (tatu/drbg.h), once. tatu_secp256k1_public_key refuses the one
 *     in 2^127 that is no secret key: then take other bytes.
 *   - Use one key for key exchange and another one for signatures.
 *   - **Do not encrypt with the shared secret itself.** Derive keys from it, with both public keys beside it
 *     (tatu/hkdf_sha256.h).
 *   - A signature is of a digest. Hash the message with tatu_sha256, and never sign a digest that someone else made.
 *   - A signature does not say when it was made. Put a counter or the time into the message, and refuse old ones.
 *   - Who knows a signature (r, s) of a message can make another one of the same message: (r, -s). Do not use a
 *     signature as the name of a message.
 *   - Signing needs no random bytes: the nonce is made of the key and the digest (RFC 6979). On a device that someone
 *     can disturb (with glitches of its voltage, for example), verify your own signature before you send it.
 *   - Check what each function returns.
 *
 *     if (tatu_secp256k1_public_key(public_key, secret_key) != TATU_OK) { ... take other random bytes ... }
 *     if (tatu_secp256k1_ecdh(shared_secret, secret_key, peer_public_key) != TATU_OK) { ... refuse ... }
 *
 *     tatu_sha256(digest, message, length);
 *     if (tatu_secp256k1_sign(secret_key, signature, digest) != TATU_OK) { ... there is no signature ... }
 *     if (tatu_secp256k1_verify(public_key, signature, digest) != TATU_OK) { ... refuse ... }
 *
 * For every function below:
 *   - all numbers are big-endian. A secret key is a number from 1 to n - 1, 32 bytes. A public key is the two
 *     coordinates of a point, x and y, 64 bytes: an uncompressed point of SEC 1 without its first byte.
 *   - no buffer needs alignment, and an output may overlap an input.
 *   - where a secret key is used, no branch depends on it, and no address on a device with a cache. What is only about
 *     public keys and signatures takes a time that depends on them.
 *   - there is no heap and no global state. Temporaries that held secrets are wiped.
 *   - on an AVR the stack holds about 1,500 bytes for a verification, 1,400 for a shared secret, 920 for a signature
 *     and 640 for a public key: on a device of 2 KB, call these from functions that hold little themselves.
 *   - if the result is not TATU_OK, what should have been written is zeros.
 *
 * MIT licence. */
#ifndef TATU_SECP256K1_H
#define TATU_SECP256K1_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_SECP256K1_SECRET_KEY_BYTES 32
#define TATU_SECP256K1_PUBLIC_KEY_BYTES 64
#define TATU_SECP256K1_SHARED_SECRET_BYTES 32
#define TATU_SECP256K1_SIGNATURE_BYTES 64
#define TATU_SECP256K1_UNCOMPRESSED_BYTES 65
#define TATU_SECP256K1_COMPRESSED_BYTES 33

/* Makes the public key of a secret key (SP 800-56A, section 5.6.1.2). Returns TATU_OK, or TATU_ERR_KEY if the secret
 * key is 0 or not below n. */
TATU_MUST_CHECK int tatu_secp256k1_public_key(uint8_t public_key[64], const uint8_t secret_key[32]);

/* Validates a public key in full (SP 800-56A, section 5.6.2.3.3; on secp256k1 every point but one has order n). The
 * functions below do it themselves. Returns TATU_OK, or TATU_ERR_KEY if a coordinate is not below p or the point is not
 * on the curve. */
TATU_MUST_CHECK int tatu_secp256k1_check_public_key(const uint8_t public_key[64]);

/* Computes the shared secret, the x-coordinate of the secret key times the peer's point (SP 800-56A, section 5.7.1.2).
 * Returns TATU_OK, or TATU_ERR_KEY if one of the keys is none. */
TATU_MUST_CHECK int tatu_secp256k1_ecdh(uint8_t shared_secret[32], const uint8_t secret_key[32],
                                        const uint8_t peer_public_key[64]);

/* Signs a digest of SHA-256 (FIPS 186-5, section 6.4.1) with the nonce of RFC 6979, section 3.2. The signature is r and
 * s, 32 bytes each. The same digest has the same signature. Returns TATU_OK, or TATU_ERR_KEY if the secret key is 0 or
 * not below n. */
TATU_MUST_CHECK int tatu_secp256k1_sign(const uint8_t secret_key[32], uint8_t signature[64], const uint8_t digest[32]);

/* Verifies the signature of a digest of SHA-256 (FIPS 186-5, section 6.4.2). Returns TATU_OK, TATU_ERR_KEY if the
 * public key is no point, or TATU_ERR_AUTHENTICATION if the signature does not hold. */
TATU_MUST_CHECK int tatu_secp256k1_verify(const uint8_t public_key[64], const uint8_t signature[64],
                                          const uint8_t digest[32]);

/* Writes a public key as SEC 1, section 2.3.3, has it: uncompressed, 65 bytes, or compressed, 33 bytes. */
void tatu_secp256k1_encode(uint8_t encoding[65], const uint8_t public_key[64]);
void tatu_secp256k1_encode_compressed(uint8_t encoding[33], const uint8_t public_key[64]);

/* Reads a public key that is written so (SEC 1, section 2.3.4), and validates it. `length` is 65 or 33. Returns
 * TATU_OK; TATU_ERR_LENGTH for another length; or TATU_ERR_KEY if there is no such point, or for another first byte. */
TATU_MUST_CHECK int tatu_secp256k1_decode(uint8_t public_key[64], const uint8_t *encoding, size_t length);

#ifdef __cplusplus
}
#endif

#endif
