/* TinyCrypt, AES-CCM: it keeps the tag behind the ciphertext, so each message is joined and parted on the stack. */
#include <tinycrypt/ccm_mode.h>
#include <tinycrypt/constants.h>

typedef struct tc_aes_key_sched_struct bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    tc_aes128_set_encrypt_key(context, key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    struct tc_ccm_mode_struct ccm;
    uint8_t joined[length + BANCADA_TAG_BYTES];
    tc_ccm_config(&ccm, context, (uint8_t *)nonce, BANCADA_NONCE_BYTES, BANCADA_TAG_BYTES);
    int done = tc_ccm_generation_encryption(joined, sizeof joined, associated, associated_length, input, length, &ccm);
    memcpy(output, joined, length);
    memcpy(tag, joined + length, BANCADA_TAG_BYTES);
    return done != TC_CRYPTO_SUCCESS;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    struct tc_ccm_mode_struct ccm;
    uint8_t joined[length + BANCADA_TAG_BYTES];
    memcpy(joined, input, length);
    memcpy(joined + length, tag, BANCADA_TAG_BYTES);
    tc_ccm_config(&ccm, context, (uint8_t *)nonce, BANCADA_NONCE_BYTES, BANCADA_TAG_BYTES);
    return tc_ccm_decryption_verification(output, length, associated, associated_length, joined, sizeof joined, &ccm) !=
           TC_CRYPTO_SUCCESS;
}
