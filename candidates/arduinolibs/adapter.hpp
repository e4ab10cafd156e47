/* The block ciphers of arduinolibs: LIBRARY_CLASS of LIBRARY_HEADER; one object serves both directions. */
#include <Crypto.h>
#include LIBRARY_HEADER

#define BANCADA_ONE_KEY 1

typedef LIBRARY_CLASS bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    context->setKey(key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->encryptBlock(output, input);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->decryptBlock(output, input);
}
