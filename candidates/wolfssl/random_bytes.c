/* wolfSSL draws on bancada_entropy instead of its own generator, by its setting CUSTOM_RAND_GENERATE_BLOCK. */
#include <stddef.h>
#include <stdint.h>

int bancada_entropy(void *state, uint8_t *output, size_t length);

int bancada_wolfssl_random(unsigned char *output, unsigned int length)
{
    return bancada_entropy(NULL, output, length);
}
