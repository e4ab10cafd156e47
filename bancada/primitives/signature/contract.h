/* The contract of the primitive "signature".
 *
 * The adapter is included once with BANCADA_KEY_BITS (of the modulus or the curve) and BANCADA_DIGEST_BYTES set. What
 * is signed is a digest: hashing is another primitive. It defines two types and four inline functions, the second and
 * the fourth of which are timed:
 *
 *   typedef ... bancada_sign_context;
 *   typedef ... bancada_verify_context;
 *   static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key);
 *   static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest);
 *   static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key);
 *   static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest);
 *
 * All return 0, and anything else if they cannot; bancada_verify anything else if the signature does not hold. A
 * context is all zeros before its first key. A key may be set in a context that has one: what that one held is then
 * released.
 *
 * Ed25519 and ML-DSA sign messages: their adapters take `bancada_message_bytes` bytes of `digest`, at most
 * BANCADA_DIGEST_BYTES. For ML-DSA-44, BANCADA_KEY_BITS is 44.
 *
 * An adapter that only verifies defines BANCADA_VERIFY_ONLY 1 and leaves out what signs.
 *
 * Schemes with BANCADA_KEY_BITS 0 have long signatures, which come in pieces. Instead of bancada_verify their adapter
 * defines three functions, all of which are timed. First come the beginning of the signature and the whole message,
 * then the rest of the signature in pieces of any length, then the verdict. BANCADA_DIGEST_BYTES is the longest
 * message.
 *
 *   static inline int bancada_verify_begin(bancada_verify_context *context, const uint8_t *beginning,
 *                                          const uint8_t *message, size_t length);
 *   static inline void bancada_verify_piece(bancada_verify_context *context, const uint8_t *piece, size_t length);
 *   static inline int bancada_verify_end(bancada_verify_context *context);
 *
 * Keys and signatures are numbers of fixed size, big endian, one behind the other; each is as long as the modulus or
 * the field, primes and what is modulo a prime half of that:
 *
 *   RSA    private key   n  e (4 bytes)  d  p  q  d mod (p-1)  d mod (q-1)  1/q mod p,    with p > q
 *          public key    n  e (4 bytes)
 *          signature     as PKCS #1 (RFC 8017) has it
 *   ECDSA  private key   d  x  y         the scalar and its public point
 *          public key    x  y
 *          signature     r  s
 *   Ed25519              as RFC 8032 has it: 32 bytes for either key, then nothing; 64 bytes for a signature
 *   ML-DSA private key   its seed, as FIPS 204 has it: 32 bytes, of which setting the key makes both keys
 *          public key    as FIPS 204 has it
 *          signature     as FIPS 204 has it, without a context
 *   LMS    public key    as RFC 8554 has it; the beginning of a signature is q, the type of LM-OTS and C
 *   SLH-DSA              as FIPS 205 has it; the beginning of a signature is R
 */
#ifndef BANCADA_SIGNATURE_H
#define BANCADA_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SIGNATURE_FIELD_BYTES (BANCADA_KEY_BITS / 8)

#if BANCADA_KEY_BITS == 0
#define SIGNATURE_IS_IN_PIECES 1
#define BANCADA_VERIFY_ONLY 1
#define SIGNATURE_PUBLIC_KEY_BYTES 64
#define SIGNATURE_BYTES 64 /* of a piece, and of the beginning */
#elif BANCADA_KEY_BITS == 44
#define SIGNATURE_PUBLIC_KEY_BYTES 1312
#define SIGNATURE_PRIVATE_KEY_BYTES 32
#define SIGNATURE_BYTES 2420
#elif BANCADA_KEY_BITS >= 1024
#define SIGNATURE_EXPONENT_BYTES 4
#define SIGNATURE_PRIME_BYTES (SIGNATURE_FIELD_BYTES / 2)
#define SIGNATURE_PUBLIC_KEY_BYTES (SIGNATURE_FIELD_BYTES + SIGNATURE_EXPONENT_BYTES)
#define SIGNATURE_PRIVATE_KEY_BYTES (SIGNATURE_PUBLIC_KEY_BYTES + SIGNATURE_FIELD_BYTES + 5 * SIGNATURE_PRIME_BYTES)
#define SIGNATURE_BYTES SIGNATURE_FIELD_BYTES

/* Where the parts of an RSA key begin. */
#define RSA_N 0
#define RSA_E SIGNATURE_FIELD_BYTES
#define RSA_D SIGNATURE_PUBLIC_KEY_BYTES
#define RSA_P (RSA_D + SIGNATURE_FIELD_BYTES)
#define RSA_Q (RSA_P + SIGNATURE_PRIME_BYTES)
#define RSA_DP (RSA_Q + SIGNATURE_PRIME_BYTES)
#define RSA_DQ (RSA_DP + SIGNATURE_PRIME_BYTES)
#define RSA_QINV (RSA_DQ + SIGNATURE_PRIME_BYTES)
#else
#define SIGNATURE_PUBLIC_KEY_BYTES (2 * SIGNATURE_FIELD_BYTES)
#define SIGNATURE_PRIVATE_KEY_BYTES (3 * SIGNATURE_FIELD_BYTES)
#define SIGNATURE_PUBLIC_KEY_BYTES (2 * SIGNATURE_FIELD_BYTES)
#define SIGNATURE_BYTES (2 * SIGNATURE_FIELD_BYTES)
#endif

/* Random bytes for nonces, salts and blinding: every library draws on this and not on its own generator, so that a
 * run can be repeated and no generator is timed with the signature. `state` is ignored. Returns 0. */
#if defined(__cplusplus)
extern "C" {
#endif
int bancada_entropy(void *state, uint8_t *output, size_t length);
/* How long the message is, where an algorithm signs messages and not digests. */
extern size_t bancada_message_bytes;
#if defined(__cplusplus)
}
#endif

#include BANCADA_ADAPTER

/* The longest key that the operations take. */
#if defined(BANCADA_VERIFY_ONLY) || BANCADA_KEY_BITS == 44
#define SIGNATURE_KEY_BYTES SIGNATURE_PUBLIC_KEY_BYTES
#else
#define SIGNATURE_KEY_BYTES SIGNATURE_PRIVATE_KEY_BYTES
#endif

#endif
