/* The contract of the primitive "kem".
 *
 * The adapter is included once with BANCADA_KEY_BITS set: 512 for ML-KEM-512. It defines inline functions, all of which
 * are timed:
 *
 *   static inline int bancada_make_key(uint8_t *encapsulation_key, uint8_t *decapsulation_key);
 *   static inline int bancada_encapsulate(uint8_t *shared_secret, uint8_t *ciphertext,
 *                                         const uint8_t *encapsulation_key);
 *   static inline int bancada_decapsulate(uint8_t *shared_secret, const uint8_t *ciphertext,
 *                                         const uint8_t *decapsulation_key);
 *
 * All return 0; the second anything else if the library refuses the key. Keys and ciphertexts are as FIPS 203 has them.
 *
 * For a device without room for a key and a ciphertext, an adapter defines BANCADA_IN_PIECES 1, and in place of these
 * three
 *
 *   static inline int bancada_encapsulate_in_pieces(uint8_t *shared_secret);
 *
 * which reads the key with bancada_read_key and gives the ciphertext to bancada_write_ciphertext. On an AVR the key is
 * in the EEPROM.
 *
 * Random bytes come from bancada_entropy, as many as the standard wants and in its order: d and z for a key, m for an
 * encapsulation. */
#ifndef BANCADA_KEM_H
#define BANCADA_KEM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KEM_RANK (BANCADA_KEY_BITS / 256)
#define KEM_RANDOM_BYTES 64
#define KEM_ENCAPSULATION_KEY_BYTES (384 * KEM_RANK + 32)
#define KEM_DECAPSULATION_KEY_BYTES (768 * KEM_RANK + 96)
#define KEM_CIPHERTEXT_BYTES (320 * KEM_RANK + 128)
#define KEM_SECRET_BYTES 32
#define KEM_PIECE_BYTES 96 /* of a key or a ciphertext, between the host and a device in pieces */

#if defined(__cplusplus)
extern "C" {
#endif
/* The bytes that the host chose. `state` is ignored. Returns 0, or -1 if more are asked for than there are. */
int bancada_entropy(void *state, uint8_t *output, size_t length);
/* `length` bytes of the key from `offset` on. `state` is ignored. Returns 0. */
int bancada_read_key(void *state, size_t offset, uint8_t *bytes, size_t length);
/* The next `length` bytes of the ciphertext. `state` is ignored. Returns 0. */
int bancada_write_ciphertext(void *state, const uint8_t *bytes, size_t length);
#if defined(__cplusplus)
}
#endif

#include BANCADA_ADAPTER

#endif
