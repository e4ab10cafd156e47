/* The state is an array of 16 bytes, column by column (FIPS 197, section 3.4). Functions have the standard's names.
 * With PLAIN_AES_SBOX the S-box is computed once, when a key is set; without it, whenever a byte is substituted. */
#include "plain_aes.h"

#include <string.h>

/* Multiplication in GF(2^8), bit by bit, while there are bits left (section 4.2). */
static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    while (b != 0) {
        if (b & 1) {
            product ^= a;
        }
        uint8_t carry = a & 0x80;
        a = (uint8_t)(a << 1);
        if (carry) {
            a ^= 0x1b;
        }
        b >>= 1;
    }
    return product;
}

/* a^254, which is 1/a, and 0 for 0 (section 5.1.1): exponents 2, 3, 6, 7, 14, ... 127, 254. */
static uint8_t invert(uint8_t a)
{
    uint8_t power = a;
    for (int i = 0; i < 6; i++) {
        power = multiply(multiply(power, power), a);
    }
    return multiply(power, power);
}

static uint8_t rotate_left(uint8_t a, int bits)
{
    return (uint8_t)(a << bits | a >> (8 - bits));
}

static uint8_t compute_sbox(uint8_t a)
{
    uint8_t b = invert(a);
    return (uint8_t)(b ^ rotate_left(b, 1) ^ rotate_left(b, 2) ^ rotate_left(b, 3) ^ rotate_left(b, 4) ^ 0x63);
}

static uint8_t compute_inverse_sbox(uint8_t a)
{
    return invert((uint8_t)(rotate_left(a, 1) ^ rotate_left(a, 3) ^ rotate_left(a, 6) ^ 0x05));
}

static uint8_t substitute(const struct plain_aes *aes, uint8_t a)
{
#if defined(PLAIN_AES_SBOX)
    return aes->sbox[a];
#else
    (void)aes;
    return compute_sbox(a);
#endif
}

static uint8_t inverse_substitute(const struct plain_aes *aes, uint8_t a)
{
#if defined(PLAIN_AES_SBOX)
    return aes->inverse_sbox[a];
#else
    (void)aes;
    return compute_inverse_sbox(a);
#endif
}

static void add_round_key(const struct plain_aes *aes, uint8_t state[16], int round)
{
    for (int i = 0; i < 16; i++) {
        state[i] ^= aes->round_keys[round][i];
    }
}

static void sub_bytes(const struct plain_aes *aes, uint8_t state[16])
{
    for (int i = 0; i < 16; i++) {
        state[i] = substitute(aes, state[i]);
    }
}

static void inv_sub_bytes(const struct plain_aes *aes, uint8_t state[16])
{
    for (int i = 0; i < 16; i++) {
        state[i] = inverse_substitute(aes, state[i]);
    }
}

static void shift_rows(uint8_t state[16], int direction)
{
    uint8_t shifted[16];
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            shifted[row + 4 * column] = state[row + 4 * ((column + direction * row + 4) % 4)];
        }
    }
    memcpy(state, shifted, 16);
}

/* Each column times a matrix whose rows are one row, shifted (sections 5.1.3 and 5.3.3). */
static void multiply_columns(uint8_t state[16], const uint8_t row[4])
{
    for (int column = 0; column < 4; column++) {
        uint8_t mixed[4];
        for (int i = 0; i < 4; i++) {
            mixed[i] = 0;
            for (int j = 0; j < 4; j++) {
                mixed[i] ^= multiply(state[4 * column + j], row[(j - i + 4) % 4]);
            }
        }
        memcpy(state + 4 * column, mixed, 4);
    }
}

static void mix_columns(uint8_t state[16])
{
    static const uint8_t row[4] = {2, 3, 1, 1};
    multiply_columns(state, row);
}

static void inv_mix_columns(uint8_t state[16])
{
    static const uint8_t row[4] = {14, 11, 13, 9};
    multiply_columns(state, row);
}

/* KeyExpansion (section 5.2). */
void plain_aes_set_key(struct plain_aes *aes, const uint8_t *key, int key_bytes)
{
    uint8_t *bytes = aes->round_keys[0];
    uint8_t round_constant = 1;
    aes->rounds = key_bytes / 4 + 6;
#if defined(PLAIN_AES_SBOX)
    for (int i = 0; i < 256; i++) {
        aes->sbox[i] = compute_sbox((uint8_t)i);
        aes->inverse_sbox[i] = compute_inverse_sbox((uint8_t)i);
    }
#endif
    memcpy(bytes, key, (size_t)key_bytes);
    for (int i = key_bytes; i < 16 * (aes->rounds + 1); i += 4) {
        uint8_t word[4];
        memcpy(word, bytes + i - 4, 4);
        if (i % key_bytes == 0) {
            uint8_t first = word[0];
            word[0] = substitute(aes, word[1]) ^ round_constant;
            word[1] = substitute(aes, word[2]);
            word[2] = substitute(aes, word[3]);
            word[3] = substitute(aes, first);
            round_constant = multiply(round_constant, 2);
        } else if (key_bytes == 32 && i % key_bytes == 16) {
            for (int j = 0; j < 4; j++) {
                word[j] = substitute(aes, word[j]);
            }
        }
        for (int j = 0; j < 4; j++) {
            bytes[i + j] = bytes[i + j - key_bytes] ^ word[j];
        }
    }
}

/* Cipher (section 5.1). */
void plain_aes_encrypt(const struct plain_aes *aes, uint8_t output[16], const uint8_t input[16])
{
    uint8_t state[16];
    memcpy(state, input, 16);
    add_round_key(aes, state, 0);
    for (int round = 1; round <= aes->rounds; round++) {
        sub_bytes(aes, state);
        shift_rows(state, 1);
        if (round < aes->rounds) {
            mix_columns(state);
        }
        add_round_key(aes, state, round);
    }
    memcpy(output, state, 16);
}

/* InvCipher (section 5.3). */
void plain_aes_decrypt(const struct plain_aes *aes, uint8_t output[16], const uint8_t input[16])
{
    uint8_t state[16];
    memcpy(state, input, 16);
    add_round_key(aes, state, aes->rounds);
    for (int round = aes->rounds - 1; round >= 0; round--) {
        shift_rows(state, -1);
        inv_sub_bytes(aes, state);
        add_round_key(aes, state, round);
        if (round > 0) {
            inv_mix_columns(state);
        }
    }
    memcpy(output, state, 16);
}
