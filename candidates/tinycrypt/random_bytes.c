/* TinyCrypt's source of random bytes, which returns 1 for success, on bancada_entropy. */
#include <stddef.h>
#include <stdint.h>

int bancada_entropy(void *state, uint8_t *output, size_t length);
int bancada_tinycrypt_random(uint8_t *output, unsigned int length);

int bancada_tinycrypt_random(uint8_t *output, unsigned int length)
{
    return bancada_entropy(NULL, output, length) == 0;
}
