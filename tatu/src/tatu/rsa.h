/* Tatu: verification of RSA signatures with 2,048 and 3,072 bits and SHA-256 (RFC 8017).
 *
 * Safe use, in short:
 *   - The public key must come with the device: who can replace it can sign anything.
 *   - An old message with its signature stays valid. Put a version number into the message and check it.
 *   - Of the two schemes PSS is the newer one, with a proof. Use PKCS #1 v1.5 where a protocol asks for it.
 *   - A quantum computer could forge RSA signatures. tatu/lms.h and tatu/slh_dsa.h resist one.
 *
 *     tatu_sha256(digest, message, length);
 *     if (tatu_rsa2048_verify_pss(modulus, 65537, signature, digest) != TATU_OK) { ... refuse ... }
 *
 * For every function below:
 *   - The modulus and the signature are big-endian, the modulus has its highest bit set, and is odd. The exponent is
 *     odd and at least 3; it is 65537 nearly everywhere.
 *   - The result is TATU_OK if the signature of this digest of SHA-256 holds. It is TATU_ERR_AUTHENTICATION if it does
 *     not, if it is not below the modulus, or if the key is not as said above.
 *   - The stack holds four numbers of the size of the modulus, 1,024 or 1,536 bytes, and a little; on AVR for 2,048
 *     bits 1,200 bytes, with PSS 1,330. With modulus and signature beside them, 2 KB of RAM are too few for PSS.
 *   - Nothing is secret, and the time depends on the key and the signature.
 *
 * MIT licence. */
#ifndef TATU_RSA_H
#define TATU_RSA_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_RSA2048_BYTES 256
#define TATU_RSA3072_BYTES 384

/* RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2.2). */
TATU_MUST_CHECK int tatu_rsa2048_verify_pkcs1(const uint8_t modulus[256], uint32_t exponent,
                                              const uint8_t signature[256], const uint8_t digest[32]);
TATU_MUST_CHECK int tatu_rsa3072_verify_pkcs1(const uint8_t modulus[384], uint32_t exponent,
                                              const uint8_t signature[384], const uint8_t digest[32]);

/* RSASSA-PSS (RFC 8017, section 8.1.2), with MGF1 of SHA-256 and a salt of 32 bytes. */
TATU_MUST_CHECK int tatu_rsa2048_verify_pss(const uint8_t modulus[256], uint32_t exponent, const uint8_t signature[256],
                                            const uint8_t digest[32]);
TATU_MUST_CHECK int tatu_rsa3072_verify_pss(const uint8_t modulus[384], uint32_t exponent, const uint8_t signature[384],
                                            const uint8_t digest[32]);

#ifdef __cplusplus
}
#endif

#endif
