/* ring: encryption only, as its modes need no other direction. The declarations are in its Rust, so they stand here. */
#include <ring-core/aes.h>

int aes_nohw_set_encrypt_key(const uint8_t *key, unsigned bits, AES_KEY *context);
void aes_nohw_encrypt(const uint8_t *input, uint8_t *output, const AES_KEY *context);

typedef AES_KEY bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    (void)aes_nohw_set_encrypt_key(key, BANCADA_KEY_BITS, context);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    aes_nohw_encrypt(input, output, context);
}
