#include "siphash.h"

typedef struct siphash bancada_prf_context;

static inline void bancada_set_key(bancada_prf_context *context, const uint8_t *key)
{
    siphash_set_key(context, key);
}

static inline void bancada_prf(const bancada_prf_context *context, uint8_t *output, const uint8_t *message,
                               size_t length)
{
    siphash(context, output, message, length);
}
