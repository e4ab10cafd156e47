/* Speck: the designers' vectors ("The SIMON and SPECK Families of Lightweight Block Ciphers", appendix C, in the byte
 * order of their Implementation Guide), and every variant against plain on pseudo-random input. */
#include <tatu/speck.h>

#include "kit.h"

#define CHECK_VARIANT(variant, bytes, encrypt_context, set_key, decrypt_context, set_decrypt_key) \
    do {                                                                                          \
        struct encrypt_context encrypting;                                                        \
        struct decrypt_context decrypting;                                                        \
        uint8_t block[bytes];                                                                     \
        set_key(&encrypting, key);                                                                \
        set_decrypt_key(&decrypting, key);                                                        \
        variant##_encrypt(&encrypting, block, plaintext);                                         \
        CHECK_BYTES(block, ciphertext, bytes);                                                    \
        variant##_decrypt(&decrypting, block, ciphertext);                                        \
        CHECK_BYTES(block, plaintext, bytes);                                                     \
        variant##_encrypt(&encrypting, block, block);                                             \
        CHECK_BYTES(block, ciphertext, bytes);                                                    \
        variant##_decrypt(&decrypting, block, block);                                             \
        CHECK_BYTES(block, plaintext, bytes);                                                     \
    } while (0)

#define DEFINE_CHECK(name, key_bytes, bytes)                                                                         \
    static void check_##name(const uint8_t *key, const uint8_t *plaintext, const uint8_t *ciphertext)                \
    {                                                                                                                \
        CHECK_VARIANT(tatu_##name, bytes, tatu_##name, tatu_##name##_set_key, tatu_##name, tatu_##name##_set_key);   \
        CHECK_VARIANT(tatu_##name##_small, bytes, tatu_##name##_small, tatu_##name##_small_set_key,                  \
                      tatu_##name##_small_decrypt, tatu_##name##_small_set_decrypt_key);                             \
        CHECK_VARIANT(tatu_##name##_tiny, bytes, tatu_##name##_tiny, tatu_##name##_tiny_set_key, tatu_##name##_tiny, \
                      tatu_##name##_tiny_set_key);                                                                   \
    }                                                                                                                \
    static void check_##name##_vector(const char *key_text, const char *plaintext_text, const char *ciphertext_text) \
    {                                                                                                                \
        uint8_t key[key_bytes], plaintext[bytes], ciphertext[bytes];                                                 \
        CHECK(kit_bytes(key, key_text) == key_bytes);                                                                \
        CHECK(kit_bytes(plaintext, plaintext_text) == bytes);                                                        \
        CHECK(kit_bytes(ciphertext, ciphertext_text) == bytes);                                                      \
        check_##name(key, plaintext, ciphertext);                                                                    \
    }                                                                                                                \
    static void check_##name##_agreement(void)                                                                       \
    {                                                                                                                \
        for (unsigned i = 0; i < 200; i++) {                                                                         \
            struct tatu_##name context;                                                                              \
            uint8_t key[key_bytes], plaintext[bytes], ciphertext[bytes];                                             \
            kit_fill(key, sizeof key);                                                                               \
            kit_fill(plaintext, sizeof plaintext);                                                                   \
            tatu_##name##_set_key(&context, key);                                                                    \
            tatu_##name##_encrypt(&context, ciphertext, plaintext);                                                  \
            check_##name(key, plaintext, ciphertext);                                                                \
        }                                                                                                            \
    }

DEFINE_CHECK(speck128_128, 16, 16)
DEFINE_CHECK(speck128_192, 24, 16)
DEFINE_CHECK(speck128_256, 32, 16)
DEFINE_CHECK(speck64_128, 16, 8)

int main(void)
{
    check_speck128_128_vector("000102030405060708090a0b0c0d0e0f", "206d616465206974206571756976616c",
                              "180d575cdffe60786532787951985da6");
    check_speck128_192_vector("000102030405060708090a0b0c0d0e0f1011121314151617", "656e7420746f20436869656620486172",
                              "86183ce05d18bcf9665513133acfe41b");
    check_speck128_256_vector("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                              "706f6f6e65722e20496e2074686f7365", "438f189c8db4ee4e3ef5c00504010941");
    check_speck64_128_vector("0001020308090a0b1011121318191a1b", "2d4375747465723b", "8b024e4548a56f8c");
    check_speck128_128_agreement();
    check_speck128_192_agreement();
    check_speck128_256_agreement();
    check_speck64_128_agreement();
    return kit_result();
}
