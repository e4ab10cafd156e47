/* Images whose size is a metric (docs/reference/metrics.md, "flash") for modes. */
#include "contract.h"


#define DATA_BYTES 64

uint8_t key[BANCADA_KEY_BYTES];
uint8_t nonce[BANCADA_NONCE_BYTES];
uint8_t input[DATA_BYTES];
uint8_t output[BANCADA_MODE_ROOM(DATA_BYTES)];
volatile size_t length = DATA_BYTES;
volatile uint8_t status;

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int bancada_entropy(void *state, uint8_t *bytes, size_t bytes_wanted)
{
    (void)state;
    memcpy(bytes, nonce, bytes_wanted < sizeof nonce ? bytes_wanted : sizeof nonce);
    return 0;
}

int main(void)
{
    KEEP(key);
    KEEP(nonce);
    KEEP(input);
    KEEP(output);
    size_t input_bytes = length;
    size_t output_bytes = sizeof output;
#if BANCADA_IMAGE == BANCADA_IMAGE_ENCRYPT || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = (uint8_t)bancada_mode_encrypt(output, &output_bytes, input, input_bytes, NULL, 0, key);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_DECRYPT || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = (uint8_t)bancada_mode_decrypt(output, &output_bytes, input, input_bytes, NULL, 0, key);
#endif
    (void)input_bytes;
    (void)output_bytes;
    for (;;) {
        KEEP(output);
    }
}
