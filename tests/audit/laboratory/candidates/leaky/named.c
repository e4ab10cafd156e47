#include "leaky.h"

/* audit.toml names this macro: the audit on the host says what it does. */
#if defined(LEAKY_MAKE_PUBLIC)
void LEAKY_MAKE_PUBLIC(void *address, size_t length);
#else
#define LEAKY_MAKE_PUBLIC(address, length) ((void)0)
#endif

static volatile uint8_t work;

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    static const uint8_t table[2] = {1, 2};
    uint8_t named = context->key[0] & 1;

    LEAKY_MAKE_PUBLIC(&named, sizeof named);
    if (named) {
        work = 1;
        work = 2;
    }
    work = table[named];
    if (context->key[1] & 1) { /* leaks: branch */
        work = 1;
        work = 2;
    }
    for (uint8_t i = 0; i < 16; i++) {
        output[i] = (uint8_t)(context->key[i] ^ input[i]);
    }
}
