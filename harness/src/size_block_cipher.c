/* Images whose size is a metric (docs/metrics.md, "flash"): a program that does nothing but set a key and call one
 * operation, the same for decryption, and the same for both. BANCADA_IMAGE says which; IMAGE_NONE is the baseline, with the
 * buffers and contexts of a caller and no call. */
#include "bancada/block_cipher.h"

#define IMAGE_NONE 0
#define IMAGE_SET_KEY 1
#define IMAGE_ENCRYPT 2
#define IMAGE_DECRYPT 3
#define IMAGE_BOTH 4
#define IMAGE_SET_DECRYPT_KEY 5

#if defined(BANCADA_CBC_LIBRARY)
int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0, length);
    return 0;
}
#endif

uint8_t key[BANCADA_KEY_BYTES];
uint8_t input[BANCADA_BLOCK_BYTES];
uint8_t output[BANCADA_BLOCK_BYTES];
bancada_encrypt_context encrypt_context;
#if defined(BANCADA_WITH_DECRYPT) && !defined(BANCADA_ONE_KEY)
bancada_decrypt_context decrypt_context;
#endif

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int main(void)
{
    KEEP(key);
    KEEP(input);
    KEEP(output);
    KEEP(encrypt_context);
#if defined(BANCADA_WITH_DECRYPT) && !defined(BANCADA_ONE_KEY)
    KEEP(decrypt_context);
#endif
#if BANCADA_IMAGE == IMAGE_SET_KEY || BANCADA_IMAGE == IMAGE_ENCRYPT || BANCADA_IMAGE == IMAGE_BOTH
    bancada_set_encrypt_key(&encrypt_context, key);
#endif
#if BANCADA_IMAGE == IMAGE_ENCRYPT || BANCADA_IMAGE == IMAGE_BOTH
    bancada_encrypt(&encrypt_context, output, input);
#endif
#if BANCADA_IMAGE == IMAGE_SET_DECRYPT_KEY || BANCADA_IMAGE == IMAGE_DECRYPT || BANCADA_IMAGE == IMAGE_BOTH
#if !defined(BANCADA_ONE_KEY)
    bancada_set_decrypt_key(&decrypt_context, key);
#elif BANCADA_IMAGE != IMAGE_BOTH
    bancada_set_encrypt_key(&encrypt_context, key);
#endif
#endif
#if BANCADA_IMAGE == IMAGE_DECRYPT || BANCADA_IMAGE == IMAGE_BOTH
#if defined(BANCADA_ONE_KEY)
    bancada_decrypt(&encrypt_context, output, input);
#else
    bancada_decrypt(&decrypt_context, output, input);
#endif
#endif
    for (;;) {
        KEEP(output);
    }
}
