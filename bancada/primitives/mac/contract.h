/* The contract of the primitive "mac": a hash (hash/contract.h) with a key.
 *
 * BANCADA_DIGEST_BYTES is the size of the tag. Besides `bancada_hash_context` and `bancada_hash` the adapter defines
 *
 *   static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key);
 */
#ifndef BANCADA_MAC_H
#define BANCADA_MAC_H

#include "hash/contract.h"

#endif
