/* LMS: verification alone, as the signature arrives. */
#include <tatu/lms.h>

typedef struct {
    struct tatu_lms lms;
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
    int result = tatu_lms_init(&context->lms, context->key, beginning);
    tatu_lms_update_message(&context->lms, message, length);
    return result;
}

static inline void bancada_verify_piece(bancada_verify_context *context, const uint8_t *piece, size_t length)
{
    tatu_lms_update_signature(&context->lms, piece, length);
}

static inline int bancada_verify_end(bancada_verify_context *context)
{
    return tatu_lms_final(&context->lms);
}
