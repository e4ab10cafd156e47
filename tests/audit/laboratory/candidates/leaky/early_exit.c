#include "leaky.h"

static __attribute__((noinline)) uint8_t differ(const uint8_t *a, const uint8_t *b)
{
    for (uint8_t i = 0; i < 16; i++) {
        if (a[i] != b[i]) { /* leaks: branch */
            return 1;
        }
    }
    return 0;
}

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t same_first[16];
    memcpy(same_first, input, 16);
    same_first[0] = context->key[0];
    memset(output, 0, 16);
    output[0] = differ(context->key, same_first);
}
