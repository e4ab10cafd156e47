/* RC6: the key sizes differ in their set-key alone. */
#include <tatu/rc6.h>

#include "paste.h"

#define BANCADA_ONE_KEY 1
typedef struct tatu_rc6 bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    TATU_SET_KEY(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_encrypt)(context, output, input);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_decrypt)(context, output, input);
}
