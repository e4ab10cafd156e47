/* Images whose size is a metric (docs/reference/metrics.md, "flash") for hashes and MACs. */
#include "bancada/caller.h"
#include "contract.h"

#define IS_BASELINE (BANCADA_IMAGE == BANCADA_IMAGE_NONE)

#define MESSAGE_BYTES 64

CALLERS(bancada_hash_context, context);
uint8_t message[MESSAGE_BYTES];
uint8_t digest[BANCADA_DIGEST_BYTES];
#if BANCADA_KEY_BYTES
uint8_t key[BANCADA_KEY_BYTES];
#endif
volatile size_t length = MESSAGE_BYTES;

/* A keystream's block and its messages, where these are offered (keystream/contract.h). */
#if defined(BANCADA_STREAM) && !defined(__AVR__)
#define TAKES_MESSAGES 1
uint8_t output[MESSAGE_BYTES];
#else
#define TAKES_MESSAGES 0
#endif

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int main(void)
{
    KEEP(context);
    KEEP(message);
    KEEP(digest);
#if TAKES_MESSAGES
    KEEP(output);
#endif
    size_t message_length = length;
#if BANCADA_KEY_BYTES
    KEEP(key);
#if BANCADA_IMAGE != BANCADA_IMAGE_NONE
    bancada_set_key(&context, key);
#endif
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_HASH
    bancada_hash(&context, digest, message, message_length);
#if TAKES_MESSAGES
    bancada_stream(&context, output, message, message_length, key);
    KEEP(output);
#endif
#endif
    (void)message_length;
    for (;;) {
        KEEP(digest);
    }
}
