/* Calls every kernel in assembly for 32- and 64-bit Arm, through the functions of Tatu. The test begins at `run`, without
 * start-up code and C library. */
#include <stddef.h>
#include <stdint.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/speck.h>
#include <tatu/x25519.h>

#include "common/assembly.h"
#include "ml_dsa/ml_dsa_backend.h"
#include "ml_dsa/ml_dsa_polynomial.h"
#include "ml_kem/ml_kem_polynomial.h"
#include "p256/aarch64/p256_points_aarch64.h"
#include "p256/p256_curve.h"
#include "x25519/field25519.h"

void *memcpy(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
void *memmove(void *to, const void *from, size_t length);
int memcmp(const void *a, const void *b, size_t length);
int run(void);

void *memcpy(void *to, const void *from, size_t length)
{
    volatile uint8_t *const output = (volatile uint8_t *)to;

    for (size_t i = 0; i < length; i++) {
        output[i] = ((const uint8_t *)from)[i];
    }
    return to;
}

void *memset(void *to, int value, size_t length)
{
    volatile uint8_t *const output = (volatile uint8_t *)to;

    for (size_t i = 0; i < length; i++) {
        output[i] = (uint8_t)value;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t length)
{
    volatile uint8_t *const output = (volatile uint8_t *)to;

    if (to <= from) {
        return memcpy(to, from, length);
    }
    while (length > 0) {
        length--;
        output[length] = ((const uint8_t *)from)[length];
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i]) {
            return 1;
        }
    }
    return 0;
}

static uint8_t message[800] TATU_INTERNAL_FOR_WORDS;
static uint8_t output[800] TATU_INTERNAL_FOR_WORDS;
static const uint8_t KEY[32] = {9, 8, 7};
static const uint8_t NONCE[16] = {1, 2, 3};

#define DEFINE_RUN_TABLES(k)                                        \
    static int run_tables_##k(uint8_t *block, const uint8_t *input) \
    {                                                               \
        struct tatu_aes##k context;                                 \
                                                                    \
        tatu_aes##k##_ram_set_key(&context, KEY);                   \
        tatu_aes##k##_ram_encrypt(&context, block, input);          \
        tatu_aes##k##_ram_decrypt(&context, block, block);          \
        return memcmp(block, input, 16);                            \
    }

DEFINE_RUN_TABLES(128)
DEFINE_RUN_TABLES(192)
DEFINE_RUN_TABLES(256)

/* At an address that is a multiple of 4, and at one that is not. */
static int run_at(uint8_t *input)
{
    uint8_t tag[16], digest[64];
    struct tatu_aes128 aes;
    struct tatu_aes192 aes192;
    struct tatu_speck128_128 speck;
    int result = 0;

    tatu_aes128_set_key(&aes, KEY);
    tatu_aes192_set_key(&aes192, KEY);
    tatu_aes128_encrypt_blocks(&aes, output, input, 11);
    tatu_aes128_decrypt_blocks(&aes, output, output, 11);
    result |= memcmp(output, input, 11 * 16);
    tatu_aes192_encrypt_blocks(&aes192, output, input, 3);
    tatu_aes192_decrypt_blocks(&aes192, output, output, 3);
    result |= memcmp(output, input, 3 * 16);
    result |= run_tables_128(output + (input - message), input);
    result |= run_tables_192(output + (input - message), input);
    result |= run_tables_256(output + (input - message), input);
    tatu_speck128_128_set_key(&speck, KEY);
    tatu_speck128_128_encrypt_blocks(&speck, output, input, 9);
    tatu_speck128_128_decrypt_blocks(&speck, output, output, 9);
    result |= memcmp(output, input, 9 * 16);
    result |= tatu_chacha20_poly1305_encrypt(KEY, output, input, 700, NONCE, 5, NONCE, tag);
    result |= tatu_chacha20_poly1305_decrypt(KEY, output, output, 700, NONCE, 5, NONCE, tag);
    result |= memcmp(output, input, 700);
    result |= tatu_ascon_aead128_encrypt(KEY, output, input, 69, input + 100, 37, NONCE, tag, sizeof tag);
    result |= tatu_ascon_aead128_decrypt(KEY, output, output, 69, input + 100, 37, NONCE, tag, sizeof tag);
    result |= memcmp(output, input, 69);
    tatu_ascon_hash256(digest, input, 40);
    tatu_sha256(digest, input, 130);
    tatu_sha3_256(digest, input, 200);
    return result;
}

#if defined(TATU_INTERNAL_CURVE_IN_THUMB2)
/* Every operation of a program, and what has no program. */
static const uint8_t program[] = {
    TATU_INTERNAL_CURVE_MULTIPLY(0, 1, 2),
    TATU_INTERNAL_CURVE_ADD(0, 0, 1),
    TATU_INTERNAL_CURVE_SUBTRACT(1, 0, 2),
    TATU_INTERNAL_CURVE_SQUARE(2, 1),
    TATU_INTERNAL_CURVE_HALVE(3, 2),
    TATU_INTERNAL_CURVE_SQUARE_TIMES(3, 2),
    TATU_INTERNAL_CURVE_END,
};

/* The headers of two curves do not go into one file. */
#define FUNCTIONS_OF_A_CURVE(curve)                                                                    \
    void curve##_run(struct tatu_internal_curve_state *state, const uint8_t *operations);              \
    void curve##_double(struct tatu_internal_curve_state *state);                                      \
    void curve##_add(struct tatu_internal_curve_state *state, uint8_t is_general);                     \
    void curve##_begin_addition(struct tatu_internal_curve_state *state, uint8_t is_general);          \
    void curve##_end_addition(struct tatu_internal_curve_state *state);                                \
    void curve##_order_multiply(tatu_internal_curve_number result, const tatu_internal_curve_number a, \
                                const tatu_internal_curve_number b);                                   \
    void curve##_negate_if(tatu_internal_curve_number number, uint32_t negate);                        \
    void curve##_select(uint32_t *result, const uint32_t *table, uint32_t entry, uint32_t words);      \
    extern const uint32_t curve##_base[8][16];                                                         \
                                                                                                       \
    static void run_##curve(void)                                                                      \
    {                                                                                                  \
        static struct tatu_internal_curve_state state;                                                 \
                                                                                                       \
        memset(&state, 3, sizeof state);                                                               \
        curve##_run(&state, program);                                                                  \
        curve##_double(&state);                                                                        \
        curve##_add(&state, 1);                                                                        \
        curve##_begin_addition(&state, 0);                                                             \
        curve##_end_addition(&state);                                                                  \
        curve##_order_multiply(state.number[0], state.number[1], state.number[2]);                     \
        curve##_negate_if(state.number[0], 1);                                                         \
        curve##_select(state.number[0], curve##_base[0], 1, 16);                                       \
    }

FUNCTIONS_OF_A_CURVE(tatu_internal_p256)
FUNCTIONS_OF_A_CURVE(tatu_internal_secp256k1)
#endif

#if defined(TATU_INTERNAL_P256_IN_AARCH64)
static void run_points_of_p256(void)
{
    static struct tatu_internal_p256_points points;

    memset(&points, 3, sizeof points);
    tatu_internal_p256_points_double(&points, 2);
    tatu_internal_p256_points_add(&points, 0);
    tatu_internal_p256_points_add(&points, 1);
    tatu_internal_p256_points_multiply(&points, TATU_INTERNAL_P256_FACTORS(2, 3, 4));
}
#endif

int run(void)
{
    uint8_t secret[32] = {7}, public_key[32];
    tatu_internal_field25519 a = {1}, b = {2};
    static int16_t polynomial[256] TATU_INTERNAL_ML_KEM_ALIGNED;
#if defined(TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_THUMB2)
    static int32_t large_polynomial[256];
#endif
    int result;

    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)(i * 7);
    }
    result = run_at(message) | run_at(message + 1);
    tatu_x25519_public_key(public_key, secret);
    tatu_internal_field25519_add(a, a, b);
    tatu_internal_field25519_subtract(a, a, b);
    tatu_internal_field25519_add_multiple(a, a, b);
    tatu_internal_field25519_square(a, a);
    tatu_internal_field25519_multiply(a, a, b);
    tatu_internal_field25519_invert(a);
#if defined(TATU_INTERNAL_CURVE_IN_THUMB2)
    run_tatu_internal_p256();
    run_tatu_internal_secp256k1();
#endif
#if defined(TATU_INTERNAL_P256_IN_AARCH64)
    run_points_of_p256();
#endif
    tatu_internal_ml_kem_ntt(polynomial);
    tatu_internal_ml_kem_multiply_add(polynomial, polynomial, polynomial, 0, 4);
    tatu_internal_ml_kem_inverse_ntt(polynomial);
    tatu_internal_ml_kem_scale(polynomial, 1);
#if !defined(TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_PORTABLE)
    tatu_internal_ml_kem_multiply_add_encoded(polynomial, polynomial, (const uint8_t *)polynomial, 0, 4);
#endif
#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED)
    (void)tatu_internal_ml_kem_sample_interleaved(polynomial, (const tatu_internal_lane_word *)polynomial);
    tatu_internal_ml_kem_add_noise_2_interleaved(polynomial, (const tatu_internal_lane_word *)polynomial);
    tatu_internal_ml_kem_add_noise_3_interleaved(polynomial, (const tatu_internal_lane_word *)polynomial);
#endif
#if defined(TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_THUMB2)
    tatu_internal_ml_dsa_ntt(large_polynomial);
    tatu_internal_ml_dsa_multiply(large_polynomial, large_polynomial, large_polynomial);
    tatu_internal_ml_dsa_multiply_add(large_polynomial, large_polynomial, large_polynomial);
    tatu_internal_ml_dsa_inverse_ntt(large_polynomial);
#endif
    return result;
}
