#include "leaky.h"

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t secret = context->key[2];
    memcpy(output, input, 16);
    __asm__ __volatile__("sbrc %0, 5\n\trjmp .+0" : : "r"(secret)); /* leaks: branch */
    __asm__ __volatile__("cpse %0, __zero_reg__\n\tadiw r30, 1" : : "r"(secret) : "r30", "r31"); /* leaks: branch */
}
