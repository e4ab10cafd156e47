/* The operations of Tatu that wiping_device*.c run and look at: each with keys and messages of its own in every run. */
#ifndef WIPING_OPERATIONS_H
#define WIPING_OPERATIONS_H

#include <stdint.h>
#include <string.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/block_cipher.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/ed25519.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>
#include <tatu/ml_kem.h>
#include <tatu/p256.h>
#include <tatu/rc6.h>
#include <tatu/secp256k1.h>
#include <tatu/sha256.h>
#include <tatu/sha512.h>
#include <tatu/speck.h>
#include <tatu/x25519.h>

#include "base_points.h"

static uint8_t key[32], message[LENGTH];
static uint8_t output[16 + LENGTH], tag[16];
static const uint8_t nonce[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, header[7] = {9, 8, 7, 6, 5, 4, 3};

static union {
    struct tatu_aes256 aes;
    struct tatu_rc6 rc6;
    struct tatu_speck128_128 speck;
    struct tatu_ed25519_key ed25519;
} context;

/* In memory and volatile: in a register that a callee saves it would itself be a byte that differs between runs. */
static volatile uint8_t run;

static volatile int result;

/* What the test must find: the compiler must not drop the copy, so it is volatile; nothing erases it. */
static __attribute__((noinline)) void copy_the_key_and_leave_it(void)
{
    volatile uint8_t copy[sizeof key];
    for (uint8_t i = 0; i < sizeof key; i++) {
        copy[i] = key[i];
    }
    (void)copy[0];
}

#define CONTEXT ((void *)&context)

/* An operation: its name, the statement that comes before the paint, and the one whose stack is looked at. */
#define BLOCK_CIPHER(X, cipher)                                                                     \
    X(cipher##_set_key, , cipher##_set_key(CONTEXT, key))                                           \
    X(cipher##_encrypt, cipher##_set_key(CONTEXT, key), cipher##_encrypt(CONTEXT, output, message)) \
    X(cipher##_decrypt, cipher##_set_key(CONTEXT, key), cipher##_decrypt(CONTEXT, output, message))

#define SMALL_BLOCK_CIPHER(X, cipher)                                                                       \
    X(cipher##_set_key, , cipher##_set_key(CONTEXT, key))                                                   \
    X(cipher##_encrypt, cipher##_set_key(CONTEXT, key), cipher##_encrypt(CONTEXT, output, message))         \
    X(cipher##_set_decrypt_key, , cipher##_set_decrypt_key(CONTEXT, key))                                   \
    X(cipher##_decrypt, cipher##_set_decrypt_key(CONTEXT, key), cipher##_decrypt(CONTEXT, output, message))

#define AEAD(X, aead)                                                                   \
    X(aead##_encrypt, aead##_START, aead##_ENCRYPT)                                     \
    X(aead##_decrypt, aead##_START; aead##_ENCRYPT, aead##_DECRYPT)                     \
    X(aead##_decrypt_forged, aead##_START; aead##_ENCRYPT; tag[5] ^= 1, aead##_DECRYPT)

#define ascon_aead128_START
#define ascon_aead128_ENCRYPT                                                                                \
    result = tatu_ascon_aead128_encrypt(key, output, message, LENGTH, header, sizeof header, nonce, tag, 16)
#define ascon_aead128_DECRYPT                                                                               \
    result = tatu_ascon_aead128_decrypt(key, output, output, LENGTH, header, sizeof header, nonce, tag, 16)

#define aes128_ccm_START tatu_aes128_set_key(CONTEXT, key)
#define aes128_ccm_ENCRYPT                                                                                        \
    result = tatu_aes128_ccm_encrypt(CONTEXT, output, message, LENGTH, header, sizeof header, nonce, 13, tag, 16)
#define aes128_ccm_DECRYPT                                                                                       \
    result = tatu_aes128_ccm_decrypt(CONTEXT, output, output, LENGTH, header, sizeof header, nonce, 13, tag, 16)

#define chacha20_poly1305_START
#define chacha20_poly1305_ENCRYPT                                                                            \
    result = tatu_chacha20_poly1305_encrypt(key, output, message, LENGTH, header, sizeof header, nonce, tag)
#define chacha20_poly1305_DECRYPT                                                                           \
    result = tatu_chacha20_poly1305_decrypt(key, output, output, LENGTH, header, sizeof header, nonce, tag)

/* The public part of a decapsulation key is the same in every run. */
static uint8_t encapsulation_key[TATU_ML_KEM_768_ENCAPSULATION_KEY_BYTES];
static uint8_t decapsulation_key[TATU_ML_KEM_768_DECAPSULATION_KEY_BYTES];
static uint8_t ciphertext[TATU_ML_KEM_768_CIPHERTEXT_BYTES];

static int secret_bytes(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    memcpy(bytes, message, length);
    return 0;
}

static void make_ml_kem_secrets(size_t secret_polynomials, size_t encapsulation_key_bytes)
{
    uint8_t *const hash_and_z = decapsulation_key + secret_polynomials + encapsulation_key_bytes;

    memset(encapsulation_key, 0x11, sizeof encapsulation_key);
    memset(decapsulation_key, 0x11, sizeof decapsulation_key);
    for (size_t i = 0; i < secret_polynomials; i++) {
        decapsulation_key[i] = (uint8_t)(message[i % sizeof message] + i);
    }
    memcpy(hash_and_z, message, 64);
    memset(ciphertext, 0x22, sizeof ciphertext);
}

#define ML_KEM(X, name, secrets, encapsulation_key_bytes)                                                    \
    X(name##_generate, , result = name##_generate(encapsulation_key, decapsulation_key, secret_bytes, NULL); \
      output[0] ^= (uint8_t)(encapsulation_key[0] | 1))                                                      \
    X(name##_encapsulate, make_ml_kem_secrets(secrets, encapsulation_key_bytes),                             \
      result = name##_encapsulate(output, ciphertext, encapsulation_key, secret_bytes, NULL))                \
    X(name##_decapsulate, make_ml_kem_secrets(secrets, encapsulation_key_bytes),                             \
      name##_decapsulate(output, ciphertext, decapsulation_key))

#define COMMON_OPERATIONS(X)                                                                                      \
    X(control, , copy_the_key_and_leave_it())                                                                     \
    BLOCK_CIPHER(X, tatu_aes128)                                                                                  \
    BLOCK_CIPHER(X, tatu_aes128_ram)                                                                              \
    SMALL_BLOCK_CIPHER(X, tatu_aes128_small)                                                                      \
    BLOCK_CIPHER(X, tatu_aes128_tiny)                                                                             \
    BLOCK_CIPHER(X, tatu_aes256)                                                                                  \
    BLOCK_CIPHER(X, tatu_aes256_ram)                                                                              \
    SMALL_BLOCK_CIPHER(X, tatu_aes256_small)                                                                      \
    BLOCK_CIPHER(X, tatu_aes256_tiny)                                                                             \
    BLOCK_CIPHER(X, tatu_speck128_128)                                                                            \
    SMALL_BLOCK_CIPHER(X, tatu_speck128_128_small)                                                                \
    BLOCK_CIPHER(X, tatu_speck128_128_tiny)                                                                       \
    X(tatu_rc6_128_set_key, , tatu_rc6_128_set_key(CONTEXT, key))                                                 \
    X(tatu_rc6_encrypt, tatu_rc6_128_set_key(CONTEXT, key), tatu_rc6_encrypt(CONTEXT, output, message))           \
    X(tatu_rc6_decrypt, tatu_rc6_128_set_key(CONTEXT, key), tatu_rc6_decrypt(CONTEXT, output, message))           \
    AEAD(X, ascon_aead128)                                                                                        \
    AEAD(X, aes128_ccm)                                                                                           \
    AEAD(X, chacha20_poly1305)                                                                                    \
    X(tatu_sha256, , tatu_sha256(output, message, LENGTH))                                                        \
    X(tatu_poly1305_one_time, , tatu_poly1305_one_time(key, output, message, LENGTH))                             \
    X(tatu_ascon_mac, , tatu_ascon_mac(key, output, message, LENGTH))                                             \
    X(tatu_sha512, , tatu_sha512(output, message, LENGTH))                                                        \
    X(tatu_hmac_sha256, , tatu_hmac_sha256(key, sizeof key, output, message, LENGTH))                             \
    X(tatu_hkdf_sha256, , result = tatu_hkdf_sha256(output, 40, nonce, sizeof nonce, key, sizeof key, header, 7)) \
    X(tatu_ed25519_set_key, , tatu_ed25519_set_key(CONTEXT, key))                                                 \
    X(tatu_ed25519_sign, tatu_ed25519_set_key(CONTEXT, key), tatu_ed25519_sign(CONTEXT, output, message, LENGTH)) \
    X(tatu_x25519_public_key, , tatu_x25519_public_key(output, key))                                              \
    X(tatu_x25519, , result = tatu_x25519(output, key, message))                                                  \
    X(tatu_p256_public_key, , result = tatu_p256_public_key(output, key))                                         \
    X(tatu_p256_ecdh, , result = tatu_p256_ecdh(output, key, p256_point))                                         \
    X(tatu_p256_sign, , result = tatu_p256_sign(key, output, message))                                            \
    X(tatu_secp256k1_public_key, , result = tatu_secp256k1_public_key(output, key))                               \
    X(tatu_secp256k1_ecdh, , result = tatu_secp256k1_ecdh(output, key, secp256k1_point))                          \
    X(tatu_secp256k1_sign, , result = tatu_secp256k1_sign(key, output, message))                                  \
    ML_KEM(X, tatu_ml_kem_512, 768, 800)                                                                          \
    ML_KEM(X, tatu_ml_kem_768, 1152, 1184)

static __attribute__((noinline)) void make_secrets(void)
{
    uint32_t state = 12345 + run * UINT32_C(0x9e3779b9);
    for (uint16_t i = 0; i < sizeof key + sizeof message; i++) {
        state = 1664525 * state + 1013904223;
        *(i < sizeof key ? &key[i] : &message[i - sizeof key]) = (uint8_t)(state >> 24);
    }
}

#endif
