/* The contract of the primitive "aead".
 *
 * The adapter is included once with BANCADA_KEY_BYTES, BANCADA_NONCE_BYTES and BANCADA_TAG_BYTES set. It defines a
 * type and three inline functions. The caller gives the nonce. The tag is apart from the ciphertext:
 *
 *   typedef ... bancada_aead_context;      the key, expanded or not
 *   static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key);
 *   static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
 *                                          size_t length, const uint8_t *associated, size_t associated_length,
 *                                          const uint8_t *nonce, uint8_t *tag);
 *   static inline int bancada_aead_decrypt(... the same ..., const uint8_t *tag);
 *
 * Both return 0. Decryption returns another value when the tag is wrong. They are called with output == input.
 */
#ifndef BANCADA_AEAD_H
#define BANCADA_AEAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include BANCADA_ADAPTER

#endif
