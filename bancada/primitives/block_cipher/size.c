/* Images whose size is a metric (docs/reference/metrics.md, "flash"): a program that only sets a key and calls one
 * operation, the same for decryption, and the same for both. BANCADA_IMAGE says which; BANCADA_IMAGE_NONE and
 * BANCADA_IMAGE_NONE_DECRYPT are the baselines, with the buffers and the context of a caller and no call. */
#include "bancada/caller.h"
#include "contract.h"

#define IS_BASELINE (BANCADA_IMAGE == BANCADA_IMAGE_NONE || BANCADA_IMAGE == BANCADA_IMAGE_NONE_DECRYPT)

/* A program has only the contexts of the direction that it uses. */
#define DECRYPTS_ONLY                                                                            \
    (BANCADA_IMAGE == BANCADA_IMAGE_DECRYPT || BANCADA_IMAGE == BANCADA_IMAGE_SET_DECRYPT_KEY || \
     BANCADA_IMAGE == BANCADA_IMAGE_NONE_DECRYPT)
#if defined(BANCADA_ONE_KEY) || !DECRYPTS_ONLY
#define HAS_ENCRYPT_CONTEXT 1
#endif
#if !defined(BANCADA_ONE_KEY) && (DECRYPTS_ONLY || BANCADA_IMAGE == BANCADA_IMAGE_BOTH)
#define HAS_DECRYPT_CONTEXT 1
#endif

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
#if defined(HAS_ENCRYPT_CONTEXT)
CALLERS(bancada_encrypt_context, encrypt_context);
#endif
#if defined(HAS_DECRYPT_CONTEXT)
CALLERS(bancada_decrypt_context, decrypt_context);
#endif

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int main(void)
{
    KEEP(key);
    KEEP(input);
    KEEP(output);
#if defined(HAS_ENCRYPT_CONTEXT)
    KEEP(encrypt_context);
#endif
#if defined(HAS_DECRYPT_CONTEXT)
    KEEP(decrypt_context);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_SET_KEY || BANCADA_IMAGE == BANCADA_IMAGE_ENCRYPT || \
    BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    bancada_set_encrypt_key(&encrypt_context, key);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_ENCRYPT || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    bancada_encrypt(&encrypt_context, output, input);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_SET_DECRYPT_KEY || BANCADA_IMAGE == BANCADA_IMAGE_DECRYPT || \
    BANCADA_IMAGE == BANCADA_IMAGE_BOTH
#if !defined(BANCADA_ONE_KEY)
    bancada_set_decrypt_key(&decrypt_context, key);
#elif BANCADA_IMAGE != BANCADA_IMAGE_BOTH
    bancada_set_encrypt_key(&encrypt_context, key);
#endif
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_DECRYPT || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
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
