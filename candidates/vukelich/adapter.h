/* DanielVukelich/Arduino-AES: the caller keeps the schedule; one serves both directions. */
#include <Rijndael.h>

#define BANCADA_ONE_KEY 1

#define VUKELICH_PASTE(bits) AES_##bits
#define VUKELICH_TYPE(bits) VUKELICH_PASTE(bits)
#define VUKELICH VUKELICH_TYPE(BANCADA_KEY_BITS)

typedef struct {
    uint8_t schedule[16 * (BANCADA_KEY_BYTES / 4 + 7)];
} bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    Schedule_Keys(VUKELICH, key, BANCADA_KEY_BYTES, context->schedule);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    Encrypt_Block(VUKELICH, input, context->schedule, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    Decrypt_Block(VUKELICH, input, context->schedule, output);
}
