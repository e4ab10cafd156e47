/* The contract of the primitives "hash", "mac" and "keystream".
 *
 * The adapter is included once with BANCADA_DIGEST_BYTES set (for a MAC, the tag's size) and, for a MAC, BANCADA_KEY_BYTES.
 * It defines a type and one inline function, which is what is timed; a library with init, update and final makes its three
 * calls in it:
 *
 *   typedef ... bancada_hash_context;      what the caller keeps: a hash under way, or a MAC's key
 *   static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length);
 *
 * and for a MAC and a keystream, whose key is set before (a keystream's message is its counter and nonce, its digest a block):
 *
 *   static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key);
 *
 * On a device with room for packets (DEVICE_PACKET_BYTES) a keystream also takes whole messages: output = input ^ key stream, where
 * `start` is the counter and nonce, and output is not input:
 *
 *   #define BANCADA_STREAM 1
 *   static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input, size_t length, const uint8_t *start);
 *
 * A library that has no call for one block leaves bancada_hash out and says BANCADA_BLOCK_BY_STREAM 1: a block is then so many
 * zeros encrypted.
 *
 * A library whose one call needs no context of the caller defines BANCADA_ONE_SHOT 1, and the type as
 * bancada_no_context.
 */
#ifndef BANCADA_HASH_H
#define BANCADA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What stands in for the context of a library that has none. */
typedef uint8_t bancada_no_context;

#include BANCADA_ADAPTER

#if defined(BANCADA_BLOCK_BY_STREAM)
static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    static const uint8_t zeros[BANCADA_DIGEST_BYTES] = {0};
    (void)length;
    bancada_stream(context, digest, zeros, BANCADA_DIGEST_BYTES, message);
}
#endif

#endif
