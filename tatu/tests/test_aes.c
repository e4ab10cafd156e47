/* AES: the example vectors of FIPS 197, appendix C, and every variant against plain on pseudo-random input. */
#include <tatu/aes.h>

#include "kit.h"

#define PLAINTEXT "00112233445566778899aabbccddeeff"

/* One variant, both directions, with output apart from input and in place. */
#define CHECK_VARIANT(variant, encrypt_context, set_key, decrypt_context, set_decrypt_key) \
    do {                                                                                   \
        struct encrypt_context encrypting;                                                 \
        struct decrypt_context decrypting;                                                 \
        uint8_t block[16];                                                                 \
        set_key(&encrypting, key);                                                         \
        set_decrypt_key(&decrypting, key);                                                 \
        variant##_encrypt(&encrypting, block, plaintext);                                  \
        CHECK_BYTES(block, ciphertext, 16);                                                \
        variant##_decrypt(&decrypting, block, ciphertext);                                 \
        CHECK_BYTES(block, plaintext, 16);                                                 \
        variant##_encrypt(&encrypting, block, block);                                      \
        CHECK_BYTES(block, ciphertext, 16);                                                \
        variant##_decrypt(&decrypting, block, block);                                      \
        CHECK_BYTES(block, plaintext, 16);                                                 \
    } while (0)

#define DEFINE_CHECK(bits)                                                                                \
    static void check_aes##bits(const uint8_t *key, const uint8_t *plaintext, const uint8_t *ciphertext)  \
    {                                                                                                     \
        CHECK_VARIANT(tatu_aes##bits, tatu_aes##bits, tatu_aes##bits##_set_key, tatu_aes##bits,           \
                      tatu_aes##bits##_set_key);                                                          \
        CHECK_VARIANT(tatu_aes##bits##_ram, tatu_aes##bits, tatu_aes##bits##_ram_set_key, tatu_aes##bits, \
                      tatu_aes##bits##_ram_set_key);                                                      \
        CHECK_VARIANT(tatu_aes##bits##_small, tatu_aes##bits##_small, tatu_aes##bits##_small_set_key,     \
                      tatu_aes##bits##_small_decrypt, tatu_aes##bits##_small_set_decrypt_key);            \
        CHECK_VARIANT(tatu_aes##bits##_tiny, tatu_aes##bits##_tiny, tatu_aes##bits##_tiny_set_key,        \
                      tatu_aes##bits##_tiny, tatu_aes##bits##_tiny_set_key);                              \
    }                                                                                                     \
    static void check_aes##bits##_vector(const char *key_text, const char *ciphertext_text)               \
    {                                                                                                     \
        uint8_t key[bits / 8], plaintext[16], ciphertext[16];                                             \
        CHECK(kit_bytes(key, key_text) == bits / 8);                                                      \
        CHECK(kit_bytes(plaintext, PLAINTEXT) == 16);                                                     \
        CHECK(kit_bytes(ciphertext, ciphertext_text) == 16);                                              \
        check_aes##bits(key, plaintext, ciphertext);                                                      \
    }                                                                                                     \
    static void check_aes##bits##_agreement(void)                                                         \
    {                                                                                                     \
        for (unsigned i = 0; i < 200; i++) {                                                              \
            struct tatu_aes##bits context;                                                                \
            uint8_t key[bits / 8], plaintext[16], ciphertext[16];                                         \
            kit_fill(key, sizeof key);                                                                    \
            kit_fill(plaintext, sizeof plaintext);                                                        \
            tatu_aes##bits##_set_key(&context, key);                                                      \
            tatu_aes##bits##_encrypt(&context, ciphertext, plaintext);                                    \
            check_aes##bits(key, plaintext, ciphertext);                                                  \
        }                                                                                                 \
    }

DEFINE_CHECK(128)
DEFINE_CHECK(192)
DEFINE_CHECK(256)

int main(void)
{
    /* FIPS 197, appendices C.1, C.2 and C.3 */
    check_aes128_vector("000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a");
    check_aes192_vector("000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191");
    check_aes256_vector("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                        "8ea2b7ca516745bfeafc49904b496089");
    check_aes128_agreement();
    check_aes192_agreement();
    check_aes256_agreement();
    return kit_result();
}
