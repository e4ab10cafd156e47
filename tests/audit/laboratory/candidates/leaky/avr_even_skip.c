#include "leaky.h"

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t value = context->key[2];
    memcpy(output, input, 16);
    __asm__ __volatile__("sbrc %0, 5\n\tinc %0" : "+r"(value)); /* even: even-branch */
    __asm__ __volatile__("lsl %0\n\tbrcc .+2\n\tinc %0" : "+r"(value)); /* even: even-branch */
    output[0] = value;
}
