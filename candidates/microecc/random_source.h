/* micro-ecc's source of random bytes, which returns 1 for success, on bancada_entropy. */
#include <uECC.h>

static int microecc_random(uint8_t *output, unsigned length)
{
    return bancada_entropy(NULL, output, length) == 0;
}
