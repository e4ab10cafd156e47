/* Nettle, AES-CCM: the parts of a message one by one, because its one call keeps the tag behind the ciphertext. */
#include <ccm.h>
#include <aes.h>

#define NETTLE_PASTE(key_bits, name) aes##key_bits##name
#define NETTLE_NAME(key_bits, name) NETTLE_PASTE(key_bits, name)
#define NETTLE_AES(name) NETTLE_NAME(BANCADA_KEY_BITS, name)

typedef struct NETTLE_AES(_ctx) bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    NETTLE_AES(_set_encrypt_key)(context, key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    struct ccm_ctx message;
    nettle_cipher_func *block = (nettle_cipher_func *)NETTLE_AES(_encrypt);
    ccm_set_nonce(&message, context, block, BANCADA_NONCE_BYTES, nonce, associated_length, length, BANCADA_TAG_BYTES);
    ccm_update(&message, context, block, associated_length, associated);
    ccm_encrypt(&message, context, block, length, output, input);
    ccm_digest(&message, context, block, BANCADA_TAG_BYTES, tag);
    return 0;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    struct ccm_ctx message;
    uint8_t computed[BANCADA_TAG_BYTES];
    nettle_cipher_func *block = (nettle_cipher_func *)NETTLE_AES(_encrypt);
    ccm_set_nonce(&message, context, block, BANCADA_NONCE_BYTES, nonce, associated_length, length, BANCADA_TAG_BYTES);
    ccm_update(&message, context, block, associated_length, associated);
    ccm_decrypt(&message, context, block, length, output, input);
    ccm_digest(&message, context, block, sizeof computed, computed);
    return memcmp(computed, tag, sizeof computed) != 0;
}
