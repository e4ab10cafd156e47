#include "leaky.h"

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    memset(output, 0, 16);
    int order = memcmp(context->key, input, 16); /* leaks: branch in memcmp */
    output[0] = (uint8_t)order;
}
