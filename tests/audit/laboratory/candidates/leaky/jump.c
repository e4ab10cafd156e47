#include "leaky.h"

static __attribute__((noinline)) uint8_t one(uint8_t value)
{
    return (uint8_t)(value + 1);
}

static __attribute__((noinline)) uint8_t two(uint8_t value)
{
    return (uint8_t)(value * 3);
}

typedef uint8_t (*step)(uint8_t);

static step volatile steps[2] = {one, two};

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    memcpy(output, input, 16);
    step chosen = steps[context->key[7] & 1];
    output[0] = chosen(output[0]); /* leaks: jump */
}
