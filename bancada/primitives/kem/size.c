/* Images whose size is a metric (docs/reference/metrics.md, "flash") for KEMs. */
#include "bancada/caller.h"
#include "contract.h"

#if defined(BANCADA_IN_PIECES)
uint8_t piece[40];
#else
uint8_t encapsulation_key[KEM_ENCAPSULATION_KEY_BYTES];
uint8_t decapsulation_key[KEM_DECAPSULATION_KEY_BYTES];
uint8_t ciphertext[KEM_CIPHERTEXT_BYTES];
#endif
uint8_t shared_secret[KEM_SECRET_BYTES];
volatile int status;

#define KEEP(object) __asm__ __volatile__("" : : "r"(&(object)) : "memory")

int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0, length);
    return 0;
}

#if defined(BANCADA_IN_PIECES)
int bancada_read_key(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    (void)state;
    (void)offset;
    memcpy(bytes, piece, length);
    return 0;
}

int bancada_write_ciphertext(void *state, const uint8_t *bytes, size_t length)
{
    (void)state;
    memcpy(piece, bytes, length);
    return 0;
}
#endif

int main(void)
{
    KEEP(shared_secret);
#if defined(BANCADA_IN_PIECES)
    KEEP(piece);
#if BANCADA_IMAGE == BANCADA_IMAGE_ENCAPSULATE || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_encapsulate_in_pieces(shared_secret);
#endif
#else
    KEEP(encapsulation_key);
    KEEP(decapsulation_key);
    KEEP(ciphertext);
#if BANCADA_IMAGE == BANCADA_IMAGE_MAKE_KEY || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_make_key(encapsulation_key, decapsulation_key);
    KEEP(encapsulation_key);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_ENCAPSULATE || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_encapsulate(shared_secret, ciphertext, encapsulation_key);
    KEEP(ciphertext);
#endif
#if BANCADA_IMAGE == BANCADA_IMAGE_DECAPSULATE || BANCADA_IMAGE == BANCADA_IMAGE_BOTH
    status = bancada_decapsulate(shared_secret, ciphertext, decapsulation_key);
#endif
#endif
    for (;;) {
        KEEP(shared_secret);
    }
}
