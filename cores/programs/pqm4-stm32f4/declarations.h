/* A scheme's operations on data that lie on the stack, as in pqm4's own measurement. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "api.h"

#define MESSAGE_BYTES 32

static volatile int status;

static inline void must(bool is_right)
{
    if (!is_right) {
        /* Nothing is ever measured. */
        for (;;) {
        }
    }
}

#ifdef CRYPTO_CIPHERTEXTBYTES

static struct data {
    unsigned char shared[CRYPTO_BYTES];
    unsigned char found[CRYPTO_BYTES];
    unsigned char secret_key[CRYPTO_SECRETKEYBYTES];
    unsigned char public_key[CRYPTO_PUBLICKEYBYTES];
    unsigned char sealed[CRYPTO_CIPHERTEXTBYTES];
} *on_stack;

static inline void make_keys(void)
{
    status = crypto_kem_keypair(on_stack->public_key, on_stack->secret_key);
}

static inline void encapsulate(void)
{
    status = crypto_kem_enc(on_stack->sealed, on_stack->shared, on_stack->public_key);
}

static inline void decapsulate(void)
{
    status = crypto_kem_dec(on_stack->found, on_stack->sealed, on_stack->secret_key);
}

static inline void do_all(struct data *data)
{
    on_stack = data;
    make_keys();
    encapsulate();
    decapsulate();
    must(memcmp(data->shared, data->found, sizeof data->shared) == 0);
}

#else

static struct data {
    unsigned char secret_key[CRYPTO_SECRETKEYBYTES];
    unsigned char public_key[CRYPTO_PUBLICKEYBYTES];
    unsigned char sealed[MESSAGE_BYTES + CRYPTO_BYTES];
    unsigned char message[MESSAGE_BYTES + CRYPTO_BYTES];
    size_t sealed_bytes;
    size_t message_bytes;
} *on_stack;

static inline void verify(void)
{
    status = crypto_sign_open(on_stack->message, &on_stack->message_bytes, on_stack->sealed, on_stack->sealed_bytes,
                              on_stack->public_key);
}

static inline void do_all(struct data *data)
{
    on_stack = data;
    memset(data->message, 1, MESSAGE_BYTES);
    must(crypto_sign_keypair(data->public_key, data->secret_key) == 0);
    must(crypto_sign(data->sealed, &data->sealed_bytes, data->message, MESSAGE_BYTES, data->secret_key) == 0);
    verify();
    must(status == 0 && data->message_bytes == MESSAGE_BYTES);
}

#endif
