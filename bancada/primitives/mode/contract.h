/* The contract of the primitive "mode": one call turns a whole message of any length into what is sent, or back. The
 * key is given each time, so that its schedule is part of the call, as in a program that exchanges a message; the call
 * also pads and makes the IV.
 *
 * The adapter is included once with these macros set:
 *
 *   BANCADA_KEY_BYTES
 *   BANCADA_NONCE_BYTES   what goes in front of the ciphertext: an IV, or a nonce
 *   BANCADA_TAG_BYTES     what goes behind it; 0 for a mode that does not notice changes
 *
 * What is sent is  IV or nonce || ciphertext || tag.  CBC pads as RFC 5652, section 6.3 says: 1 to 16 bytes that say
 * how many they are. The adapter defines two inline functions:
 *
 *   static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
 *                                          const uint8_t *associated, size_t associated_length, const uint8_t *key);
 *   static inline int bancada_mode_decrypt(... the same ...);
 *
 * Both return 0 on success; *output_bytes is then the number of bytes that they wrote. They return another value on
 * failure; the bytes of `output` must then not be used. Decryption fails if the tag is wrong, the padding is wrong, or
 * the length is impossible. `output` has room for BANCADA_MODE_ROOM(length) bytes and does not overlap `input`. A mode
 * without a tag ignores the associated data. The IV or nonce comes from bancada_entropy: on a device that is measured, the bytes that the
 * host wrote (no entropy source is timed).
 *
 * An adapter that a library has already serves as it is: one of aead/contract.h with BANCADA_MODE_AEAD defined
 * (`adapter_defines`), one of block_cipher/contract.h that makes the IV itself and serves both directions with one key
 * with BANCADA_MODE_CBC.
 */
#ifndef BANCADA_MODE_H
#define BANCADA_MODE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Enough for a message of `length` bytes or what is sent of it: a block of padding, IV and tag. */
#define BANCADA_MODE_ROOM(length) ((length) + 48)

int bancada_entropy(void *state, uint8_t *output, size_t length);

#include BANCADA_ADAPTER

#if defined(BANCADA_MODE_AEAD)
#include "mode_aead.h"
#elif defined(BANCADA_MODE_CBC)
#include "mode_cbc.h"
#endif

#endif
