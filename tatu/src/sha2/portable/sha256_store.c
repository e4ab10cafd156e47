#include "../sha256_internal.h"

#if !defined(TATU_INTERNAL_SHA256_IN_AVR)

#include "../store_big_endian.h"

void tatu_internal_sha256_store(const uint32_t state[8], uint8_t *digest, uint8_t words)
{
    for (uint8_t i = 0; i < words; i++) {
        store_big_endian(digest + 4 * i, state[i]);
    }
}

#else
typedef int tatu_internal_sha256_store_is_in_assembly;
#endif
