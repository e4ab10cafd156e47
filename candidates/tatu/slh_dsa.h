/* SLH-DSA-SHA2-128s: verification alone, as the signature arrives. The message is M' (FIPS 205, algorithm 24). */
#include <tatu/slh_dsa.h>

typedef struct {
    struct tatu_slh_dsa_sha2_128s slh;
    const uint8_t *key;
} bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    context->key = key;
    return 0;
}

static inline int bancada_verify_begin(bancada_verify_context *context, const uint8_t *beginning,
                                       const uint8_t *message, size_t length)
{
    tatu_slh_dsa_sha2_128s_init_internal(&context->slh, context->key, beginning);
    tatu_slh_dsa_sha2_128s_update_message(&context->slh, message, length);
    return 0;
}

static inline void bancada_verify_piece(bancada_verify_context *context, const uint8_t *piece, size_t length)
{
    tatu_slh_dsa_sha2_128s_update_signature(&context->slh, piece, length);
}

static inline int bancada_verify_end(bancada_verify_context *context)
{
    return tatu_slh_dsa_sha2_128s_final(&context->slh);
}
