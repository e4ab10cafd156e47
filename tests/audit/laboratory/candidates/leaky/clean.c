/* All that constant-time code does: masks, shifts, products, comparisons without branches, copies through the stack, branches on
 * what is public although it has been mixed with secrets. */
#include "leaky.h"

static __attribute__((noinline)) uint8_t doubled(uint8_t value)
{
    return (uint8_t)(value << 1 ^ (0x1b & -(value >> 7)));
}

static __attribute__((noinline)) uint8_t is_zero(uint8_t value)
{
    return (uint8_t)(((uint16_t)value - 1) >> 15);
}

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t copy[16];
    uint32_t sum = 0;
    memcpy(copy, context->key, sizeof copy);
    for (uint8_t i = 0; i < 16; i++) {
        copy[i] ^= doubled(input[i]);
        sum = sum * 33 + copy[i];
        copy[i] = (uint8_t)(copy[i] | is_zero(input[i]));
    }
    /* Public again: a secret and itself, and bits that are masked away. */
    volatile uint8_t nothing = (uint8_t)(copy[0] & 0x0f & 0xf0);
    if ((uint8_t)(copy[3] ^ copy[3]) != 0 || nothing != 0 || ((sum | 1) & 1) == 0) {
        memset(output, 0, 16);
        return;
    }
    memcpy(output, copy, sizeof copy);
    output[15] = (uint8_t)(sum >> 11);
}
