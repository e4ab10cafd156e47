/* Ptolemy-XV's rijndael-alg-fst: a schedule for each direction. */
#include <rijndael-alg-fst.h>

typedef struct {
    un32 schedule[4 * (MAXNR + 1)];
} bancada_encrypt_context;

typedef bancada_encrypt_context bancada_decrypt_context;

#define PTOLEMY_ROUNDS (BANCADA_KEY_BYTES / 4 + 6)

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    rijndaelKeySetupEnc(context->schedule, key, BANCADA_KEY_BITS);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    rijndaelEncrypt(context->schedule, PTOLEMY_ROUNDS, input, output);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    rijndaelKeySetupDec(context->schedule, key, BANCADA_KEY_BITS);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    rijndaelDecrypt(context->schedule, PTOLEMY_ROUNDS, input, output);
}
