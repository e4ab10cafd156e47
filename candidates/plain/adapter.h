/* The plain ciphers: PLAIN_HEADER and PLAIN_CIPHER name one. */
#include PLAIN_HEADER

#define PLAIN_PASTE_EXPANDED(name, suffix) name##suffix
#define PLAIN_PASTE(name, suffix) PLAIN_PASTE_EXPANDED(name, suffix)
#define PLAIN(suffix) PLAIN_PASTE(PLAIN_CIPHER, suffix)

#define BANCADA_ONE_KEY 1

typedef struct PLAIN_CIPHER bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    PLAIN(_set_key)(context, key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    PLAIN(_encrypt)(context, output, input);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    PLAIN(_decrypt)(context, output, input);
}
