/* Signatures and key exchange. */
#include <string.h>

#include <tatu/ed25519.h>
#include <tatu/lms.h>
#include <tatu/ml_kem.h>
#include <tatu/p256.h>
#include <tatu/rsa.h>
#include <tatu/secp256k1.h>
#include <tatu/slh_dsa.h>
#include <tatu/x25519.h>

#include "transcript.h"

static uint8_t message[LONGEST_HASHED];

static void run_hash_based(void)
{
    begin_line("lms");
    for (uint8_t type = 0; type < 2; type++) { /* others take too long in C on AVR */
        uint8_t public_key[TATU_LMS_PUBLIC_KEY_BYTES] = {0, 0, 0, 0x5, 0, 0, 0, type};
        struct tatu_lms lms;
        fill(message, LONGEST_HASHED);
        memcpy(message, public_key, 8);
        message[3] = type;
        fold_result(tatu_lms_init(&lms, public_key, message));
        tatu_lms_update_message(&lms, message, LONGEST);
        for (uint8_t i = 0; i < 40; i++) {
            tatu_lms_update_signature(&lms, message, LONGEST);
        }
        fold_result(tatu_lms_final(&lms));
    }
    end_line();
    begin_line("slh_dsa");
    {
        struct tatu_slh_dsa_sha2_128s slh;
        fill(message, LONGEST_HASHED);
        fold_result(tatu_slh_dsa_sha2_128s_init(&slh, message, message + 32, message, 5));
        tatu_slh_dsa_sha2_128s_update_message(&slh, message, LONGEST);
        for (uint8_t i = 0; i < 3; i++) {
            tatu_slh_dsa_sha2_128s_update_signature(&slh, message, LONGEST);
            fold(slh.block, 54);
        }
        fold_result(tatu_slh_dsa_sha2_128s_final(&slh));
    }
    end_line();
}

static void run_rsa(void)
{
    begin_line("rsa");
    {
        static uint8_t modulus[TATU_RSA2048_BYTES], signature[TATU_RSA2048_BYTES];
        memset(modulus, 0xff, sizeof modulus);
        for (uint8_t last = 0; last < 2; last++) {
            modulus[sizeof modulus - 1] = (uint8_t)(0xfe | last);
            memset(signature, 0x5a + last, sizeof signature);
            fold_result(tatu_rsa2048_verify_pkcs1(modulus, 3, signature, message));
            fold_result(tatu_rsa2048_verify_pss(modulus, 3, signature, message));
        }
    }
    end_line();
}

static void run_key_exchange(void)
{
    uint8_t key[32], public_key[32], shared[32];

    begin_line("x25519");
    for (uint8_t i = 0; i < 2; i++) {
        fill(key, sizeof key);
        tatu_x25519_public_key(public_key, key);
        fold(public_key, sizeof public_key);
        fill(key, sizeof key);
        fold_result(tatu_x25519(shared, key, public_key));
        fold(shared, sizeof shared);
    }
    memset(public_key, 0, sizeof public_key);
    fold_result(tatu_x25519(shared, key, public_key));
    end_line();
}

static int take_entropy(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    fill(bytes, length);
    return TATU_OK;
}

/* A key whose coefficients are all below q: no byte has a half above 7. */
static int read_key(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    (void)state;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)((29 * (offset + i)) & 0x77);
    }
    return TATU_OK;
}

static int fold_ciphertext(void *state, const uint8_t *bytes, size_t length)
{
    (void)state;
    fold(bytes, length);
    return TATU_OK;
}

static void run_ml_kem(void)
{
    uint8_t secret[TATU_ML_KEM_SHARED_SECRET_BYTES];

    begin_line("ml_kem");
    fold_result(
        tatu_ml_kem_512_encapsulate_in_pieces(secret, fold_ciphertext, NULL, read_key, NULL, take_entropy, NULL));
    fold(secret, sizeof secret);
    end_line();
}

static void run_ed25519(void)
{
    struct tatu_ed25519_key key;
    uint8_t secret[32], signature[64], message[40];

    begin_line("ed25519");
    fill(secret, sizeof secret);
    fill(message, sizeof message);
    tatu_ed25519_set_key(&key, secret);
    fold(key.public_key, sizeof key.public_key);
    tatu_ed25519_sign(&key, signature, message, sizeof message);
    fold(signature, sizeof signature);
    fold_result(tatu_ed25519_verify(key.public_key, signature, message, sizeof message));
    fold_result(tatu_ed25519_verify(message, signature, message, sizeof message));
    end_line();
}

/* RFC 6979, section A.2.5 */
static const uint8_t secret[32] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21,
                                   0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8,
                                   0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};

typedef int sign_function(const uint8_t secret_key[32], uint8_t signature[64], const uint8_t digest[32]);
typedef int verify_function(const uint8_t public_key[64], const uint8_t signature[64], const uint8_t digest[32]);

/* Signing and verifying have every part of the others in them. An AVR without assembly needs a billion cycles for each
 * curve. */
static void run_curve(const char *name, sign_function *sign, verify_function *verify, const uint8_t public_key[64])
{
    uint8_t signature[64], digest[32];

    begin_line(name);
    fill(digest, sizeof digest);
    fold_result(sign(secret, signature, digest));
    fold(signature, sizeof signature);
    fold_result(verify(public_key, signature, digest));
    end_line();
}

static void run_curves(void)
{
    /* RFC 6979, section A.2.5 */
    static const uint8_t on_p256[64] = {0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb, 0x74, 0xc6,
                                        0x35, 0x6d, 0x68, 0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61, 0xfa, 0x6c, 0xe6, 0x69,
                                        0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6, 0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8, 0xbc,
                                        0x99, 0xa4, 0x1a, 0xe9, 0xe9, 0x56, 0x28, 0xbc, 0x64, 0xf2, 0xf1, 0xb2, 0x0c,
                                        0x2d, 0x7e, 0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99};
    /* OpenSSL made it of the same secret key. */
    static const uint8_t on_secp256k1[64] = {
        0x2c, 0x8c, 0x31, 0xfc, 0x9f, 0x99, 0x0c, 0x6b, 0x55, 0xe3, 0x86, 0x5a, 0x18, 0x4a, 0x4c, 0xe5,
        0x0e, 0x09, 0x48, 0x1f, 0x2e, 0xae, 0xb3, 0xe6, 0x0e, 0xc1, 0xce, 0xa1, 0x3a, 0x6a, 0xe6, 0x45,
        0x64, 0xb9, 0x5e, 0x4f, 0xdb, 0x69, 0x48, 0xc0, 0x38, 0x6e, 0x18, 0x9b, 0x00, 0x6a, 0x29, 0xf6,
        0x86, 0x76, 0x9b, 0x01, 0x17, 0x04, 0x27, 0x5e, 0x44, 0x59, 0x82, 0x2d, 0xc3, 0x32, 0x80, 0x85};

    run_curve("p256", tatu_p256_sign, tatu_p256_verify, on_p256);
    run_curve("secp256k1", tatu_secp256k1_sign, tatu_secp256k1_verify, on_secp256k1);
}

void transcript_public_key(void)
{
    run_hash_based();
    run_rsa();
    run_key_exchange();
    run_ml_kem();
    run_ed25519();
    run_curves();
}
