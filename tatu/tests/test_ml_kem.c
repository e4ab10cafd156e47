/* ML-KEM: the first known answer of each parameter set (cryptography-vectors, kat_MLKEM_512.rsp and kat_MLKEM_768.rsp);
 * of what is long, its SHA3-256. Keys that must be refused, and what a changed ciphertext gives. */
#include <tatu/ml_kem.h>

#include "kit_chosen.h"

#define MOST_BYTES TATU_ML_KEM_768_DECAPSULATION_KEY_BYTES

static uint8_t encapsulation_key[MOST_BYTES], decapsulation_key[MOST_BYTES], ciphertext[MOST_BYTES];

#define CHECK_SET(set, seed_text, message_text, key_digest, secret_key_digest, ciphertext_digest, secret_text)         \
    static void check_##set(void)                                                                                      \
    {                                                                                                                  \
        uint8_t seed[64], message[32], expected[32], secret[32];                                                       \
                                                                                                                       \
        CHECK(kit_bytes(seed, seed_text) == 64);                                                                       \
        CHECK(kit_bytes(message, message_text) == 32);                                                                 \
        CHECK(kit_bytes(expected, secret_text) == 32);                                                                 \
        CHECK(tatu_ml_kem_##set##_generate(encapsulation_key, decapsulation_key, kit_chosen, seed) == TATU_OK);        \
        kit_check_digest(encapsulation_key, TATU_ML_KEM_##set##_ENCAPSULATION_KEY_BYTES, key_digest);                  \
        kit_check_digest(decapsulation_key, TATU_ML_KEM_##set##_DECAPSULATION_KEY_BYTES, secret_key_digest);           \
        CHECK(tatu_ml_kem_##set##_encapsulate(secret, ciphertext, encapsulation_key, kit_chosen, message) == TATU_OK); \
        kit_check_digest(ciphertext, TATU_ML_KEM_##set##_CIPHERTEXT_BYTES, ciphertext_digest);                         \
        CHECK_BYTES(secret, expected, 32);                                                                             \
        tatu_ml_kem_##set##_decapsulate_with_seed(secret, ciphertext, seed);                                           \
        CHECK_BYTES(secret, expected, 32);                                                                             \
        ciphertext[0] ^= 1;                                                                                            \
        tatu_ml_kem_##set##_decapsulate(secret, ciphertext, decapsulation_key);                                        \
        CHECK(memcmp(secret, expected, 32) != 0);                                                                      \
        CHECK(tatu_ml_kem_##set##_check_decapsulation_key(decapsulation_key) == TATU_OK);                              \
        decapsulation_key[TATU_ML_KEM_##set##_DECAPSULATION_KEY_BYTES - 64] ^= 1; /* of the hash */                    \
        CHECK(tatu_ml_kem_##set##_check_decapsulation_key(decapsulation_key) == TATU_ERR_KEY);                         \
        encapsulation_key[0] = 0xff; /* a coefficient above q */                                                       \
        encapsulation_key[1] |= 0x0f;                                                                                  \
        CHECK(tatu_ml_kem_##set##_check_encapsulation_key(encapsulation_key) == TATU_ERR_KEY);                         \
        CHECK(tatu_ml_kem_##set##_encapsulate(secret, ciphertext, encapsulation_key, kit_chosen, message) ==           \
              TATU_ERR_KEY);                                                                                           \
    }

CHECK_SET(512,
          "6dbbc4375136df3b07f7c70e639e223e177e7fd53b161b3f4d57791794f12624"
          "f696484048ec21f96cf50a56d0759c448f3779752f0383d37449690694cf7a68",
          "20a7b7e10f70496cc38220b944def699bf14d14e55cf4c90a12c1b33fc80ffff",
          "ca875d7c7e8501256071ea518d2f185b05626aa3d1c38cdbc2d006ed0051aac6",
          "3bfe393d27fe69bd19bdd911b87fcb3490f83a66c6e12c169ed19f53b6ed933b",
          "e610f0f144b0196b704eeb8089aa5c56282792f6083ec2ac66d2316f4ce7f97d",
          "2b5c52ee72946331983ba050be0f435055c0547901e03559b356517889ea27c5")

CHECK_SET(768,
          "6dbbc4375136df3b07f7c70e639e223e177e7fd53b161b3f4d57791794f12624"
          "f696484048ec21f96cf50a56d0759c448f3779752f0383d37449690694cf7a68",
          "20a7b7e10f70496cc38220b944def699bf14d14e55cf4c90a12c1b33fc80ffff",
          "6ff694a73b6701f2a7408773f9909118ef52e1c89285b2cde465a0b04980120a",
          "b1ef08952102a3e7af1766b6d2e35eee534b325e72e963365d8dc4a8cb02d3f1",
          "8ba9d8e8e0ecf99c9ef71573644f18dfb56029a6bce2de62252ea430912919de",
          "b408d5d115713f0a93047dbbea832e4340787686d59a9a2d106bd662ba0aa035")

int main(void)
{
    check_512();
    check_768();
    return kit_result();
}
