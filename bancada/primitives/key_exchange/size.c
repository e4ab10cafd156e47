/* Images whose size is a metric (docs/reference/metrics.md, "flash") for key exchanges. */
#include "bancada/caller.h"
#include "contract.h"

uint8_t secret_key[KEY_EXCHANGE_BYTES];
uint8_t peer_key[KEY_EXCHANGE_PUBLIC_BYTES];
uint8_t result[KEY_EXCHANGE_PUBLIC_BYTES];
volatile int status;

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0, length);
    return 0;
}

int main(void)
{
    KEEP(secret_key);
    KEEP(peer_key);
    KEEP(result);
#if BANCADA_IMAGE == BANCADA_IMAGE_PUBLIC_KEY || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_public_key(result, secret_key);
    KEEP(result);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_SHARED_SECRET || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_shared_secret(result, secret_key, peer_key);
#endif
    for (;;) {
        KEEP(result);
    }
}
