/* Nettle: a context for each direction; any number of blocks is one call; CBC takes the block function. */
#include "aes.h"
#include "cbc.h"

#define NETTLE_PASTE(key_bits, name) aes##key_bits##name
#define NETTLE_NAME(key_bits, name) NETTLE_PASTE(key_bits, name)
#define NETTLE_AES(name) NETTLE_NAME(BANCADA_KEY_BITS, name)

#define BANCADA_ECB 1

typedef struct NETTLE_AES(_ctx) bancada_encrypt_context;
typedef struct NETTLE_AES(_ctx) bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    NETTLE_AES(_set_encrypt_key)(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    NETTLE_AES(_encrypt)(context, AES_BLOCK_SIZE, output, input);
}

static inline void bancada_ecb_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    NETTLE_AES(_encrypt)(context, length, output, input);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    NETTLE_AES(_set_decrypt_key)(context, key);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    NETTLE_AES(_decrypt)(context, AES_BLOCK_SIZE, output, input);
}

static inline void bancada_ecb_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    NETTLE_AES(_decrypt)(context, length, output, input);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    cbc_encrypt(context, (nettle_cipher_func *)NETTLE_AES(_encrypt), AES_BLOCK_SIZE, iv, length, output, input);
}

static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    cbc_decrypt(context, (nettle_cipher_func *)NETTLE_AES(_decrypt), AES_BLOCK_SIZE, iv, length, output, input);
}
