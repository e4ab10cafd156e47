/* Images whose size is a metric (docs/reference/metrics.md, "flash") for signatures. */
#include "bancada/caller.h"
#include "contract.h"

#define IS_BASELINE (BANCADA_IMAGE == BANCADA_IMAGE_NONE)

uint8_t key[SIGNATURE_KEY_BYTES];
uint8_t digest[BANCADA_DIGEST_BYTES];
uint8_t signature[SIGNATURE_BYTES];
#if !defined(BANCADA_VERIFY_ONLY)
CALLERS(bancada_sign_context, sign_context);
#endif
CALLERS(bancada_verify_context, verify_context);
volatile int status;
size_t bancada_message_bytes = BANCADA_DIGEST_BYTES;

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0, length);
    return 0;
}

int main(void)
{
    KEEP(key);
    KEEP(digest);
    KEEP(signature);
#if !defined(BANCADA_VERIFY_ONLY)
    KEEP(sign_context);
#endif
    KEEP(verify_context);
#if !defined(BANCADA_VERIFY_ONLY) && (BANCADA_IMAGE == BANCADA_IMAGE_SIGN || BANCADA_IMAGE == BANCADA_IMAGE_BOTH)
    status = bancada_set_sign_key(&sign_context, key);
    status = bancada_sign(&sign_context, signature, digest);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_VERIFY || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_set_verify_key(&verify_context, key);
#if defined(SIGNATURE_IS_IN_PIECES)
    status = bancada_verify_begin(&verify_context, signature, digest, sizeof digest);
    bancada_verify_piece(&verify_context, signature, sizeof signature);
    status = bancada_verify_end(&verify_context);
#else
    status = bancada_verify(&verify_context, signature, digest);
#endif
#endif
    for (;;) {
        KEEP(signature);
    }
}
