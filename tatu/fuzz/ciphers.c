/* Block ciphers: all variants of one agree, and decryption gives the block back. */
#include <tatu/aes.h>
#include <tatu/rc6.h>
#include <tatu/speck.h>

#include "fuzz.h"

typedef void cipher_function(uint8_t *encrypted, uint8_t *decrypted, const uint8_t *key, const uint8_t *block);

#define DEFINE(name, context_type, decrypt_context_type, set_key, set_decrypt_key)                              \
    static void try_##set_key(uint8_t *encrypted, uint8_t *decrypted, const uint8_t *key, const uint8_t *block) \
    {                                                                                                           \
        struct context_type context;                                                                            \
        struct decrypt_context_type decrypt_context;                                                            \
        set_key(&context, key);                                                                                 \
        set_decrypt_key(&decrypt_context, key);                                                                 \
        name##_encrypt(&context, encrypted, block);                                                             \
        name##_decrypt(&decrypt_context, decrypted, encrypted);                                                 \
    }
#define DEFINE_VARIANTS(name)                                                                                    \
    DEFINE(name, name, name, name##_set_key, name##_set_key)                                                     \
    DEFINE(name##_small, name##_small, name##_small_decrypt, name##_small_set_key, name##_small_set_decrypt_key) \
    DEFINE(name##_tiny, name##_tiny, name##_tiny, name##_tiny_set_key, name##_tiny_set_key)
#define DEFINE_RC6(bits)                                                                                      \
    DEFINE(tatu_rc6, tatu_rc6, tatu_rc6, tatu_rc6_##bits##_set_key, tatu_rc6_##bits##_set_key)                \
    DEFINE(tatu_rc6_tiny, tatu_rc6, tatu_rc6, tatu_rc6_tiny_##bits##_set_key, tatu_rc6_tiny_##bits##_set_key)

DEFINE_VARIANTS(tatu_aes128)
DEFINE_VARIANTS(tatu_aes192)
DEFINE_VARIANTS(tatu_aes256)
DEFINE_VARIANTS(tatu_speck128_128)
DEFINE_VARIANTS(tatu_speck128_192)
DEFINE_VARIANTS(tatu_speck128_256)
DEFINE_VARIANTS(tatu_speck64_128)
DEFINE(tatu_aes128_ram, tatu_aes128, tatu_aes128, tatu_aes128_ram_set_key, tatu_aes128_ram_set_key)
DEFINE_RC6(128)
DEFINE_RC6(192)
DEFINE_RC6(256)

#define MOST_VARIANTS 4
#define VARIANTS(name) {try_##name##_set_key, try_##name##_small_set_key, try_##name##_tiny_set_key, NULL}

static const struct {
    size_t key_bytes, block_bytes;
    cipher_function *variants[MOST_VARIANTS];
} ciphers[] = {
    {16,
     16,
     {try_tatu_aes128_set_key, try_tatu_aes128_small_set_key, try_tatu_aes128_tiny_set_key,
      try_tatu_aes128_ram_set_key}},
    {24, 16, VARIANTS(tatu_aes192)},
    {32, 16, VARIANTS(tatu_aes256)},
    {16, 16, VARIANTS(tatu_speck128_128)},
    {24, 16, VARIANTS(tatu_speck128_192)},
    {32, 16, VARIANTS(tatu_speck128_256)},
    {16, 8, VARIANTS(tatu_speck64_128)},
    {16, 16, {try_tatu_rc6_128_set_key, try_tatu_rc6_tiny_128_set_key, NULL, NULL}},
    {24, 16, {try_tatu_rc6_192_set_key, try_tatu_rc6_tiny_192_set_key, NULL, NULL}},
    {32, 16, {try_tatu_rc6_256_set_key, try_tatu_rc6_tiny_256_set_key, NULL, NULL}},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader reader = {data, size};
    const size_t choice = next_byte(&reader) % (sizeof ciphers / sizeof ciphers[0]);
    const size_t block_bytes = ciphers[choice].block_bytes;
    uint8_t *const key = take_buffer(&reader, ciphers[choice].key_bytes);
    uint8_t *const block = take_buffer(&reader, block_bytes);
    uint8_t *const expected = new_buffer(block_bytes);

    for (size_t i = 0; i < MOST_VARIANTS && ciphers[choice].variants[i] != NULL; i++) {
        uint8_t *const encrypted = new_buffer(block_bytes);
        uint8_t *const decrypted = new_buffer(block_bytes);

        ciphers[choice].variants[i](encrypted, decrypted, key, block);
        if (i == 0) {
            memcpy(expected, encrypted, block_bytes);
        }
        CHECK(is_equal(encrypted, expected, block_bytes));
        CHECK(is_equal(decrypted, block, block_bytes));
        free(encrypted);
        free(decrypted);
    }
    free(key);
    free(block);
    free(expected);
    return 0;
}
