#include "leaky.h"

static volatile uint8_t table[256];

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    memcpy(output, input, 16);
    table[5] = 1;
    for (uint8_t i = 0; i < 16; i++) {
        output[i] ^= table[context->key[i]]; /* address: load */
    }
}
