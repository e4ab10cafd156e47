/* wolfSSL's wolfCrypt, ChaCha20. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/chacha.h>

#define BANCADA_STREAM 1
#define BANCADA_BLOCK_BY_STREAM 1

typedef ChaCha bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    wc_Chacha_SetKey(context, key, BANCADA_KEY_BYTES);
}

static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                  const uint8_t *start)
{
    word32 counter;
    memcpy(&counter, start, sizeof counter);
    wc_Chacha_SetIV(context, start + sizeof counter, counter);
    wc_Chacha_Process(context, output, input, (word32)length);
}
