/* Encapsulations to one key and decapsulations by it, for who looks whether the way through the code depends on the
 * secrets: the message, the noise, and whether a ciphertext is rejected. The matrix is public, and it is the key's. */
#include <stddef.h>
#include <stdint.h>

#include <tatu/ml_kem.h>

#define CALLS 6

/* Knuth's generator, of which the high bits are taken. */
static int random_bytes(void *state, uint8_t *bytes, size_t length)
{
    uint64_t *const number = state;

    for (size_t i = 0; i < length; i++) {
        *number = *number * 6364136223846793005U + 1442695040888963407U;
        bytes[i] = (uint8_t)(*number >> 56);
    }
    return 0;
}

static uint64_t state = 1;
static uint8_t encapsulation_key[TATU_ML_KEM_512_ENCAPSULATION_KEY_BYTES];
static uint8_t decapsulation_key[TATU_ML_KEM_512_DECAPSULATION_KEY_BYTES];
static uint8_t ciphertext[TATU_ML_KEM_512_CIPHERTEXT_BYTES];
static uint8_t shared_secret[TATU_ML_KEM_SHARED_SECRET_BYTES];

void encapsulate(void);
void decapsulate(void);
void leaky(void);

__attribute__((noinline)) void encapsulate(void)
{
    (void)!tatu_ml_kem_512_encapsulate(shared_secret, ciphertext, encapsulation_key, random_bytes, &state);
}

__attribute__((noinline)) void decapsulate(void)
{
    tatu_ml_kem_512_decapsulate(shared_secret, ciphertext, decapsulation_key);
}

/* What the test must find: a branch on a bit of the secret. */
static volatile uint8_t touched;

static __attribute__((noinline)) void touch(void)
{
    touched++;
}

__attribute__((noinline)) void leaky(void)
{
    if ((shared_secret[0] & 1) != 0) {
        touch();
    }
}

int main(void)
{
    (void)!tatu_ml_kem_512_generate(encapsulation_key, decapsulation_key, random_bytes, &state);
    for (int i = 0; i < CALLS; i++) {
        encapsulate();
        leaky();
        if (i % 2 == 1) {
            ciphertext[i] ^= 1;
        }
        decapsulate();
    }
    return 0;
}
