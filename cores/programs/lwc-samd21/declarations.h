/* What a call of NIST's benchmarking gets: the bytes of everything count up from zero. */
#include <stdbool.h>
#include <string.h>

#include "lwc_crypto_aead.h"

#define KEY_AND_NONCE_BYTES 32
#define TAG_BYTES 32

/* Arrays on a stack, as the benchmark has them, begin at a whole word. */
#define WORDS __attribute__((aligned(4)))

static WORDS unsigned char message[BYTES];
static WORDS unsigned char opened[BYTES];
static WORDS unsigned char sealed[BYTES + TAG_BYTES];
static WORDS unsigned char associated[1];
static WORDS unsigned char key[KEY_AND_NONCE_BYTES];
static WORDS unsigned char nonce[KEY_AND_NONCE_BYTES];
static unsigned long long sealed_bytes;
static volatile int status;

static inline void encrypt(void)
{
    status = lwc_aead_cipher.encrypt(sealed, &sealed_bytes, message, sizeof message, associated, 0, NULL, nonce, key);
}

/* The benchmark links decryption too, and counts only implementations that recover the message. */
static inline void encrypt_and_decrypt(void)
{
    unsigned long long opened_bytes = 0;
    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = (unsigned char)i;
    }
    for (size_t i = 0; i < sizeof key; i++) {
        key[i] = nonce[i] = (unsigned char)i;
    }
    encrypt();
    status = lwc_aead_cipher.decrypt(opened, &opened_bytes, NULL, sealed, sealed_bytes, associated, 0, nonce, key);
    if (status != 0 || opened_bytes != sizeof message || memcmp(opened, message, sizeof message) != 0) {
        /* Nothing is ever measured. */
        for (;;) {
        }
    }
}
