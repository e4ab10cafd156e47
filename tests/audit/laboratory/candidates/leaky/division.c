#include "leaky.h"

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint16_t number = (uint16_t)(context->key[0] | context->key[1] << 8);
    uint16_t by = (uint16_t)(context->key[2] | 1);
    memcpy(output, input, 16);
    output[0] = (uint8_t)(number / by); /* leaks: branch in __udivmodhi4 */
}
