/* Images whose size is a metric (docs/reference/metrics.md, "flash") for the programs of contract.h: everything that a
 * sender or a receiver links, serialisation included. */
#include "message_program.h"

PB_BIND(Reading, Reading, AUTO)


Reading reading;
uint8_t packet[MESSAGE_PACKET_BYTES];
volatile int status;

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

#if defined(BANCADA_SIGNS)
uint8_t key[SIGNATURE_PRIVATE_KEY_BYTES];
bancada_sign_context signer;
bancada_verify_context verifier;
#define WITH_SIGNER &signer,
#define WITH_VERIFIER &verifier,

int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0, length);
    return 0;
}
#else
#define WITH_SIGNER
#define WITH_VERIFIER
#endif

int main(void)
{
    KEEP(reading);
    KEEP(packet);
#if defined(BANCADA_SIGNS)
    KEEP(key);
    KEEP(signer);
    KEEP(verifier);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_SEND || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    size_t packet_bytes = 0;
#if defined(BANCADA_SIGNS)
    status = bancada_set_sign_key(&signer, key);
#endif
    status = message_send(WITH_SIGNER & reading, packet, &packet_bytes);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_RECEIVE || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
#if defined(BANCADA_SIGNS)
    status = bancada_set_verify_key(&verifier, key);
#endif
    status = message_receive(WITH_VERIFIER & reading, packet, sizeof packet);
#endif
    for (;;) {
        KEEP(packet);
    }
}
