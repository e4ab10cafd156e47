/* The contract of the primitive "keystream": one block of it, called as a hash (hash/contract.h) with a key, and whole
 * messages.
 *
 * BANCADA_BLOCK_BYTES is the size of the counter and nonce, which `bancada_hash` takes as its message;
 * BANCADA_DIGEST_BYTES is the size of a block, which it writes as its digest. Besides `bancada_hash_context` and
 * `bancada_hash` the adapter defines
 *
 *   static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key);
 *
 * On a device with room for packets (DEVICE_PACKET_BYTES) a keystream also takes whole messages: output = input ^
 * keystream. `start` is the counter and nonce, and output is not input:
 *
 *   #define BANCADA_STREAM 1
 *   static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input,
 *                                     size_t length, const uint8_t *start);
 *
 * A library that has no call for one block leaves `bancada_hash` out and says BANCADA_BLOCK_BY_STREAM 1: the
 * laboratory then encrypts as many zeros as a block has.
 */
#ifndef BANCADA_KEYSTREAM_H
#define BANCADA_KEYSTREAM_H

#include "hash/contract.h"

#endif
