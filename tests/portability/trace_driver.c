/* Every operation of Tatu that handles a secret, several times with other secrets, each between trace_begin and
 * trace_end: engines/qemu/trace compares what was executed. Prints the names, in the order of the pieces. The last two
 * are planted: a branch and a look-up in a table that depend on a secret. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Knuth's generator, of which the high bits are taken. */
static void make_secret(void *memory, size_t length)
{
    static uint64_t state = 1;

    for (size_t i = 0; i < length; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        ((uint8_t *)memory)[i] = (uint8_t)(state >> 56);
    }
}

#include "../tatu/secret_operations.h"

#include <tatu/ascon.h>

#define SECRETS 2

void trace_begin(void);
void trace_end(void);

__attribute__((noinline, noclone)) void trace_begin(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Not the same code as trace_begin, lest a compiler makes them one. */
__attribute__((noinline, noclone)) void trace_end(void)
{
    static volatile uint8_t ended;

    ended++;
}

/* What opens a message tells everyone whether the tag holds; here it does. */
static int run_openings(void)
{
    static const uint8_t nonce[16] = {1};
    static uint8_t ciphertext[48], opened[48];
    struct tatu_aes128 aes;
    struct tatu_gcm_key gcm;
    int results = 0;

    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    tatu_aes128_set_key(&aes, key);
    results |= tatu_gcm_set_key(&gcm, tatu_aes128_encrypter(&aes));
    results |= tatu_ascon_aead128_encrypt(key, ciphertext, message, 48, message, 21, nonce, tag, 16);
    results |= tatu_ascon_aead128_decrypt(key, opened, ciphertext, 48, message, 21, nonce, tag, 16);
    results |= tatu_chacha20_poly1305_encrypt(key, ciphertext, message, 48, message, 21, nonce, tag);
    results |= tatu_chacha20_poly1305_decrypt(key, opened, ciphertext, 48, message, 21, nonce, tag);
    results |= tatu_aes128_ccm_encrypt(&aes, ciphertext, message, 48, message, 21, nonce, 13, tag, 16);
    results |= tatu_aes128_ccm_decrypt(&aes, opened, ciphertext, 48, message, 21, nonce, 13, tag, 16);
    results |= tatu_gcm_encrypt(&gcm, ciphertext, message, 48, message, 21, nonce, tag, 16);
    results |= tatu_gcm_decrypt(&gcm, opened, ciphertext, 48, message, 21, nonce, tag, 16);
    results |= tatu_seal(key, sealed, message, 40, message + 60, 7, public_iv, NULL);
    results |= tatu_unseal(key, opened, sealed, 40 + TATU_SEALED_MORE_BYTES, message + 60, 7);
    return results;
}

static volatile uint8_t result;

static __attribute__((noinline, noclone)) void touch(void)
{
    result++;
}

static int run_planted_branch(void)
{
    make_secret(key, sizeof key);
    for (size_t i = 0; i < sizeof key; i++) {
        if ((key[i] & 1) != 0) {
            touch();
        }
    }
    return 0;
}

static int run_planted_look_up(void)
{
    static const uint8_t table[256] = {1, 2, 3};

    make_secret(key, sizeof key);
    result = ((const volatile uint8_t *)table)[key[3]];
    return 0;
}

static int traced(int (*run)(void))
{
    int failed;

    trace_begin();
    failed = run();
    trace_end();
    return failed;
}

int main(void)
{
    int failed = 0;

    for (int secret = 0; secret < SECRETS; secret++) {
        for (size_t i = 0; i < SECRET_OPERATIONS; i++) {
            failed |= traced(secret_operations[i].run);
        }
        failed |= traced(run_openings);
        failed |= traced(run_planted_branch);
        failed |= traced(run_planted_look_up);
    }
    for (size_t i = 0; i < SECRET_OPERATIONS; i++) {
        printf("%s\n", secret_operations[i].name);
    }
    printf("openings\nplanted branch\nplanted look-up\n");
    return failed != 0;
}
