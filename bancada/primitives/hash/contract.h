/* The contract of the primitive "hash". Those of "mac" and "keystream" use it.
 *
 * The adapter is included once with BANCADA_DIGEST_BYTES set. It defines a type and one inline function. The function
 * is what is timed: a library with init, update and final makes its three calls in it.
 *
 *   typedef ... bancada_hash_context;      what the caller keeps: a hash under way, or a key
 *   static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message,
 *                                   size_t length);
 *
 * A library whose one call needs no context of the caller defines BANCADA_ONE_SHOT 1, and the type as
 * bancada_no_context.
 */
#ifndef BANCADA_HASH_H
#define BANCADA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Replaces the context of a library that has none. */
typedef uint8_t bancada_no_context;

#include BANCADA_ADAPTER

/* keystream/contract.h */
#if defined(BANCADA_BLOCK_BY_STREAM)
static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    static const uint8_t zeros[BANCADA_DIGEST_BYTES] = {0};
    (void)length;
    bancada_stream(context, digest, zeros, BANCADA_DIGEST_BYTES, message);
}
#endif

#endif
