/* The library's generator, replaced at the link (ld's --wrap) by bancada_entropy, so that runs repeat. */
#include <stddef.h>
#include <stdint.h>

int bancada_entropy(void *state, uint8_t *output, size_t length);
int __wrap_wc_RNG_GenerateBlock(void *generator, unsigned char *output, unsigned int length);

int __wrap_wc_RNG_GenerateBlock(void *generator, unsigned char *output, unsigned int length)
{
    return bancada_entropy(generator, output, length);
}
