/* The contract of the primitive "prf". The adapter is included once with BANCADA_KEY_BYTES and BANCADA_DIGEST_BYTES set:
 *
 *   typedef ... bancada_prf_context;
 *   static inline void bancada_set_key(bancada_prf_context *context, const uint8_t *key);
 *   static inline void bancada_prf(const bancada_prf_context *context, uint8_t *output, const uint8_t *message,
 *                                  size_t length);
 */
#ifndef PRF_CONTRACT_H
#define PRF_CONTRACT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include BANCADA_ADAPTER

#endif
