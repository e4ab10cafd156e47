/* Tables of powers and logarithms give products in GF(2^8); the S-box is computed bit by bit, as FIPS 197 writes it
 * (section 5.1.1, equation 5.1); tables of columns join SubBytes and MixColumns (J. Daemen, V. Rijmen, "AES Proposal:
 * Rijndael", section 5.2). Decryption is the equivalent inverse cipher (FIPS 197, section 5.3.5). */
#include "plain_aes_anew.h"

#include <string.h>

#define LARGEST_WORDS 60

/* Everything that a call makes. A word has the bytes of a column, the first in the low bits. */
struct made {
    uint8_t powers[256];
    uint8_t logarithms[256];
    uint8_t sbox[256];
    uint8_t inverse_sbox[256];
    uint32_t columns[4][256];
    uint32_t round_keys[LARGEST_WORDS];
    int rounds;
};

/* Powers of 3, which are all numbers but 0. */
static void make_logarithms(struct made *made)
{
    uint8_t power = 1;
    for (int i = 0; i < 255; i++) {
        made->powers[i] = power;
        made->logarithms[power] = (uint8_t)i;
        power ^= (uint8_t)(power << 1) ^ (power & 0x80 ? 0x1b : 0);
    }
}

static uint8_t multiply(const struct made *made, uint8_t a, uint8_t b)
{
    if (a == 0 || b == 0) {
        return 0;
    }
    return made->powers[(made->logarithms[a] + made->logarithms[b]) % 255];
}

static uint8_t substitute(const struct made *made, uint8_t a)
{
    uint8_t inverse = a == 0 ? 0 : made->powers[(255 - made->logarithms[a]) % 255];
    uint8_t substituted = 0;
    for (int bit = 0; bit < 8; bit++) {
        int sum = 0x63 >> bit;
        for (int other = 0; other < 5; other++) {
            sum ^= inverse >> (bit + (other == 0 ? 0 : other + 3)) % 8;
        }
        substituted |= (uint8_t)((sum & 1) << bit);
    }
    return substituted;
}

static void make_sboxes(struct made *made)
{
    make_logarithms(made);
    for (int i = 0; i < 256; i++) {
        made->sbox[i] = substitute(made, (uint8_t)i);
        made->inverse_sbox[made->sbox[i]] = (uint8_t)i;
    }
}

/* A column of MixColumns or of its inverse, for a byte in each of its four rows. */
static void make_columns(struct made *made, const uint8_t *box, const uint8_t factors[4])
{
    for (int i = 0; i < 256; i++) {
        uint32_t column = 0;
        for (int row = 0; row < 4; row++) {
            column |= (uint32_t)multiply(made, box[i], factors[row]) << 8 * row;
        }
        for (int row = 0; row < 4; row++) {
            made->columns[row][i] = column;
            column = column << 8 | column >> 24;
        }
    }
}

static uint32_t read_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t substitute_word(const struct made *made, uint32_t word)
{
    return made->sbox[word & 255] | (uint32_t)made->sbox[word >> 8 & 255] << 8 |
           (uint32_t)made->sbox[word >> 16 & 255] << 16 | (uint32_t)made->sbox[word >> 24] << 24;
}

/* KeyExpansion (section 5.2). */
static void expand_key(struct made *made, const struct plain_aes_anew *aes)
{
    int words = aes->key_bytes / 4;
    uint8_t constant = 1;
    made->rounds = words + 6;
    for (int i = 0; i < 4 * (made->rounds + 1); i++) {
        if (i < words) {
            made->round_keys[i] = read_word(aes->key + 4 * i);
            continue;
        }
        uint32_t word = made->round_keys[i - 1];
        if (i % words == 0) {
            word = substitute_word(made, word >> 8 | word << 24) ^ constant;
            constant = multiply(made, constant, 2);
        } else if (words > 6 && i % words == 4) {
            word = substitute_word(made, word);
        }
        made->round_keys[i] = made->round_keys[i - words] ^ word;
    }
}

/* Rounds in either direction: the byte of row r comes from `step` times r columns further on. */
static void crypt(const struct made *made, const uint8_t *box, int step, uint8_t output[16], const uint8_t input[16])
{
    const int towards = step == 1 ? 1 : -1;
    const uint32_t *key = made->round_keys + (step == 1 ? 0 : 4 * made->rounds);
    uint8_t state[16];
    memcpy(state, input, 16);
    for (int round = 0; round <= made->rounds; round++) {
        uint8_t next[16];
        for (int column = 0; column < 4; column++) {
            uint32_t word = key[column];
            for (int row = 0; row < 4; row++) {
                uint8_t byte = state[round == 0 ? 4 * column + row : (4 * (column + step * row) + row) % 16];
                if (round == 0) {
                    word ^= (uint32_t)byte << 8 * row;
                } else if (round == made->rounds) {
                    word ^= (uint32_t)box[byte] << 8 * row;
                } else {
                    word ^= made->columns[row][byte];
                }
            }
            for (int row = 0; row < 4; row++) {
                next[4 * column + row] = (uint8_t)(word >> 8 * row);
            }
        }
        memcpy(state, next, 16);
        key += 4 * towards;
    }
    memcpy(output, state, 16);
}

void plain_aes_anew_set_key(struct plain_aes_anew *aes, const uint8_t *key, int key_bytes)
{
    memcpy(aes->key, key, (size_t)key_bytes);
    aes->key_bytes = key_bytes;
}

void plain_aes_anew_encrypt(const struct plain_aes_anew *aes, uint8_t output[16], const uint8_t input[16])
{
    static const uint8_t factors[4] = {2, 1, 1, 3};
    struct made made;
    make_sboxes(&made);
    make_columns(&made, made.sbox, factors);
    expand_key(&made, aes);
    crypt(&made, made.sbox, 1, output, input);
}

void plain_aes_anew_decrypt(const struct plain_aes_anew *aes, uint8_t output[16], const uint8_t input[16])
{
    static const uint8_t factors[4] = {14, 9, 13, 11};
    struct made made;
    make_sboxes(&made);
    make_columns(&made, made.inverse_sbox, factors);
    expand_key(&made, aes);
    /* InvMixColumns of the keys of the middle rounds: the columns of S(k) are those of k. */
    for (int i = 4; i < 4 * made.rounds; i++) {
        uint32_t word = substitute_word(&made, made.round_keys[i]);
        made.round_keys[i] = made.columns[0][word & 255] ^ made.columns[1][word >> 8 & 255] ^
                             made.columns[2][word >> 16 & 255] ^ made.columns[3][word >> 24];
    }
    crypt(&made, made.inverse_sbox, 3, output, input);
}
