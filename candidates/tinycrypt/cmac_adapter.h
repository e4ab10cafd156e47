/* TinyCrypt, AES-CMAC: a tag erases the state, so the caller keeps the key and every message begins with it. */
#include <tinycrypt/cmac_mode.h>

typedef struct {
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    memcpy(context->key, key, sizeof context->key);
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    struct tc_aes_key_sched_struct schedule;
    struct tc_cmac_struct state;
    tc_cmac_setup(&state, context->key, &schedule);
    tc_cmac_update(&state, message, length);
    tc_cmac_final(digest, &state);
}
