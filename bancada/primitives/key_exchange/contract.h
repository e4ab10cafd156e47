/* The contract of the primitive "key-exchange".
 *
 * The adapter is included once with BANCADA_KEY_BITS set. It defines two inline functions, both of which are timed:
 *
 *   static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key);
 *   static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key);
 *
 * Both return 0; the second anything else if the library refuses the other end's public key. Keys and secrets have
 * KEY_EXCHANGE_BYTES bytes, in the form of the algorithm's standard:
 *
 *   X25519   32 bytes, little-endian (RFC 7748, section 5); the secret key comes without its bits set
 *   P-256    32 bytes, big-endian; a public key is x and y, 64 bytes: the adapter defines BANCADA_PUBLIC_KEY_BYTES 64
 *
 * A library that needs random bytes, to blind with, takes them from bancada_entropy. */
#ifndef BANCADA_KEY_EXCHANGE_H
#define BANCADA_KEY_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KEY_EXCHANGE_BYTES (BANCADA_KEY_BITS / 8)

/* Bytes that differ from call to call. `state` is ignored. Returns 0. */
#if defined(__cplusplus)
extern "C" {
#endif
int bancada_entropy(void *state, uint8_t *output, size_t length);
#if defined(__cplusplus)
}
#endif

#include BANCADA_ADAPTER

#if defined(BANCADA_PUBLIC_KEY_BYTES)
#define KEY_EXCHANGE_PUBLIC_BYTES BANCADA_PUBLIC_KEY_BYTES
#else
#define KEY_EXCHANGE_PUBLIC_BYTES KEY_EXCHANGE_BYTES
#endif

#endif
