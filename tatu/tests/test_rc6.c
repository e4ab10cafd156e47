/* RC6: vectors of "The RC6 Block Cipher" (1998), appendix, for both variants. */
#include <tatu/rc6.h>

#include "kit.h"

#define CHECK_VARIANT(set_key, encrypt, decrypt) \
    do {                                         \
        struct tatu_rc6 context;                 \
        uint8_t block[16];                       \
        set_key(&context, key);                  \
        encrypt(&context, block, plaintext);     \
        CHECK_BYTES(block, ciphertext, 16);      \
        decrypt(&context, block, block);         \
        CHECK_BYTES(block, plaintext, 16);       \
    } while (0)

#define CHECK_VECTOR(bits, key_text, ciphertext_text)                                                \
    do {                                                                                             \
        uint8_t key[(bits) / 8], plaintext[16], ciphertext[16];                                      \
        CHECK(kit_bytes(key, key_text) == (bits) / 8);                                               \
        CHECK(kit_bytes(plaintext, "02132435465768798a9bacbdcedfe0f1") == 16);                       \
        CHECK(kit_bytes(ciphertext, ciphertext_text) == 16);                                         \
        CHECK_VARIANT(tatu_rc6_##bits##_set_key, tatu_rc6_encrypt, tatu_rc6_decrypt);                \
        CHECK_VARIANT(tatu_rc6_tiny_##bits##_set_key, tatu_rc6_tiny_encrypt, tatu_rc6_tiny_decrypt); \
    } while (0)

int main(void)
{
    CHECK_VECTOR(128, "0123456789abcdef0112233445566778", "524e192f4715c6231f51f6367ea43f18");
    CHECK_VECTOR(192, "0123456789abcdef0112233445566778899aabbccddeeff0", "688329d019e505041e52e92af95291d4");
    CHECK_VECTOR(256, "0123456789abcdef0112233445566778899aabbccddeeff01032547698badcfe",
                 "c8241816f0d7e48920ad16a1674e5d48");
    return kit_result();
}
