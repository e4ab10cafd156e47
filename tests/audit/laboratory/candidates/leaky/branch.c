#include "leaky.h"

static volatile uint8_t work;

static __attribute__((noinline)) uint8_t doubled(uint8_t value)
{
    uint8_t twice = (uint8_t)(value << 1);
    if (value & 0x80) { /* leaks: branch */
        work = 1;
        work = 2;
        twice ^= 0x1b;
    }
    return twice;
}

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    for (uint8_t i = 0; i < 16; i++) {
        output[i] = (uint8_t)(doubled(context->key[i]) ^ input[i]);
    }
}
