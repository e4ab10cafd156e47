/* Images whose size is a metric (docs/reference/metrics.md, "flash") for AEADs. */
#include "bancada/caller.h"
#include "contract.h"

#define IS_BASELINE (BANCADA_IMAGE == BANCADA_IMAGE_NONE)

#define DATA_BYTES 16

CALLERS(bancada_aead_context, context);
uint8_t key[BANCADA_KEY_BYTES];
uint8_t nonce[BANCADA_NONCE_BYTES];
uint8_t data[DATA_BYTES];
uint8_t tag[BANCADA_TAG_BYTES];
uint8_t associated[DATA_BYTES];
volatile size_t length = DATA_BYTES;
volatile uint8_t status;

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int main(void)
{
    KEEP(context);
    KEEP(key);
    KEEP(nonce);
    KEEP(data);
    KEEP(tag);
    KEEP(associated);
    size_t data_length = length;
    size_t associated_length = length;
#if BANCADA_IMAGE != BANCADA_IMAGE_NONE
    bancada_set_key(&context, key);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_ENCRYPT || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status =
        (uint8_t)bancada_aead_encrypt(&context, data, data, data_length, associated, associated_length, nonce, tag);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_DECRYPT || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status =
        (uint8_t)bancada_aead_decrypt(&context, data, data, data_length, associated, associated_length, nonce, tag);
#endif
    (void)data_length;
    (void)associated_length;
    for (;;) {
        KEEP(data);
    }
}
