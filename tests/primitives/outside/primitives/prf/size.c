/* The images whose size is a metric. */
#include "bancada/caller.h"
#include "contract.h"

#define IS_BASELINE (BANCADA_IMAGE == BANCADA_IMAGE_NONE)
#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

CALLERS(bancada_prf_context, context);
uint8_t key[BANCADA_KEY_BYTES];
uint8_t message[64];
uint8_t output[BANCADA_DIGEST_BYTES];
volatile size_t length = sizeof message;

int main(void)
{
    KEEP(context);
    KEEP(key);
    KEEP(message);
    size_t message_length = length;
#if BANCADA_IMAGE == BANCADA_IMAGE_EVALUATE
    bancada_set_key(&context, key);
    bancada_prf(&context, output, message, message_length);
#endif
    (void)message_length;
    for (;;) {
        KEEP(output);
    }
}
