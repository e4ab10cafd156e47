#include "leaky.h"

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t sum = 0;
    volatile uint8_t once = 1;
    for (uint8_t i = 0; i < (context->key[5] & 0x1f); i++) { /* leaks: branch */
        sum = (uint8_t)(sum + once);
    }
    memcpy(output, input, 16);
    output[0] = sum;
}
