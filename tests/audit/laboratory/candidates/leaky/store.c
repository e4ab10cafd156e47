#include "leaky.h"

static volatile uint8_t counts[16];

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    counts[context->key[3] & 15] = 7; /* address: store */
    memcpy(output, input, 16);
}
