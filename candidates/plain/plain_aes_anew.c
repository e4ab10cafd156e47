/* Powers and logarithms give inverses in GF(2^8), and with them the S-box (FIPS 197, section 5.1.1); tables of columns
 * join SubBytes and MixColumns (J. Daemen, V. Rijmen, "AES Proposal: Rijndael", section 5.2). Decryption is the
 * equivalent inverse cipher (FIPS 197, section 5.3.5). */
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

static uint8_t doubled(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static uint8_t rotate_left(uint8_t a, int bits)
{
    return (uint8_t)(a << bits | a >> (8 - bits));
}

/* Powers of 3, which are all numbers but 0. */
static void make_logarithms(struct made *made)
{
    uint8_t power = 1;
    for (int i = 0; i < 255; i++) {
        made->powers[i] = power;
        made->logarithms[power] = (uint8_t)i;
        power ^= doubled(power);
    }
    made->powers[255] = 1;
}

static void make_sboxes(struct made *made)
{
    make_logarithms(made);
    for (int i = 0; i < 256; i++) {
        uint8_t b = i == 0 ? 0 : made->powers[255 - made->logarithms[i]];
        b = (uint8_t)(b ^ rotate_left(b, 1) ^ rotate_left(b, 2) ^ rotate_left(b, 3) ^ rotate_left(b, 4) ^ 0x63);
        made->sbox[i] = b;
        made->inverse_sbox[b] = (uint8_t)i;
    }
}

/* The columns of a byte in the first row; those of the other rows are rotated. */
static void make_rows(struct made *made, int i, uint8_t first, uint8_t second, uint8_t third, uint8_t fourth)
{
    uint32_t column = first | (uint32_t)second << 8 | (uint32_t)third << 16 | (uint32_t)fourth << 24;
    for (int row = 0; row < 4; row++) {
        made->columns[row][i] = column;
        column = column << 8 | column >> 24;
    }
}

/* MixColumns: 2, 1, 1, 3. */
static void make_columns(struct made *made)
{
    for (int i = 0; i < 256; i++) {
        uint8_t s = made->sbox[i];
        uint8_t twice = doubled(s);
        make_rows(made, i, twice, s, s, twice ^ s);
    }
}

/* InvMixColumns: 14, 9, 13, 11. */
static void make_inverse_columns(struct made *made)
{
    for (int i = 0; i < 256; i++) {
        uint8_t s = made->inverse_sbox[i];
        uint8_t twice = doubled(s);
        uint8_t four = doubled(twice);
        uint8_t eight = doubled(four);
        make_rows(made, i, eight ^ four ^ twice, eight ^ s, eight ^ four ^ s, eight ^ twice ^ s);
    }
}

static uint32_t read_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void write_word(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> 8 * i);
    }
}

/* A word of bytes of a box, each of its own column. */
static uint32_t looked_up(const uint8_t *box, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return box[a & 255] | (uint32_t)box[b >> 8 & 255] << 8 | (uint32_t)box[c >> 16 & 255] << 16 |
           (uint32_t)box[d >> 24] << 24;
}

/* KeyExpansion (section 5.2), a key's length at a time. */
static void expand_key(struct made *made, const struct plain_aes_anew *aes)
{
    int words = aes->key_bytes / 4;
    uint8_t constant = 1;
    made->rounds = words + 6;
    const uint32_t *end = made->round_keys + 4 * (made->rounds + 1);
    uint32_t *to = made->round_keys;
    for (int i = 0; i < words; i++) {
        *to++ = read_word(aes->key + 4 * i);
    }
    while (to < end) {
        uint32_t word = to[-1] >> 8 | to[-1] << 24;
        word = looked_up(made->sbox, word, word, word, word) ^ constant;
        constant = doubled(constant);
        for (int i = 0; i < words && to < end; i++) {
            if (words > 6 && i == 4) {
                word = looked_up(made->sbox, word, word, word, word);
            }
            word ^= *(to - words);
            *to++ = word;
        }
    }
}

/* The byte of row r comes from r columns further on to encrypt, and from 3 r to decrypt, which exchanges b and d. */
static void crypt(const struct made *made, int is_decrypting, uint8_t output[16], const uint8_t input[16])
{
    const uint32_t *t0 = made->columns[0];
    const uint32_t *t1 = made->columns[is_decrypting ? 3 : 1];
    const uint32_t *t2 = made->columns[2];
    const uint32_t *t3 = made->columns[is_decrypting ? 1 : 3];
    int second = is_decrypting ? 24 : 8;
    int fourth = is_decrypting ? 8 : 24;
    int step = is_decrypting ? -4 : 4;
    const uint8_t *box = is_decrypting ? made->inverse_sbox : made->sbox;
    const uint32_t *key = made->round_keys + (is_decrypting ? 4 * made->rounds : 0);
    uint32_t a = read_word(input) ^ key[0];
    uint32_t b = read_word(input + 4) ^ key[1];
    uint32_t c = read_word(input + 8) ^ key[2];
    uint32_t d = read_word(input + 12) ^ key[3];
    for (int round = 1; round < made->rounds; round++) {
        key += step;
        uint32_t e = key[0] ^ t0[a & 255] ^ t1[b >> second & 255] ^ t2[c >> 16 & 255] ^ t3[d >> fourth & 255];
        uint32_t f = key[1] ^ t0[b & 255] ^ t1[c >> second & 255] ^ t2[d >> 16 & 255] ^ t3[a >> fourth & 255];
        uint32_t g = key[2] ^ t0[c & 255] ^ t1[d >> second & 255] ^ t2[a >> 16 & 255] ^ t3[b >> fourth & 255];
        d = key[3] ^ t0[d & 255] ^ t1[a >> second & 255] ^ t2[b >> 16 & 255] ^ t3[c >> fourth & 255];
        a = e;
        b = f;
        c = g;
    }
    key += step;
    write_word(output, key[0] ^ (is_decrypting ? looked_up(box, a, d, c, b) : looked_up(box, a, b, c, d)));
    write_word(output + 4, key[1] ^ (is_decrypting ? looked_up(box, b, a, d, c) : looked_up(box, b, c, d, a)));
    write_word(output + 8, key[2] ^ (is_decrypting ? looked_up(box, c, b, a, d) : looked_up(box, c, d, a, b)));
    write_word(output + 12, key[3] ^ (is_decrypting ? looked_up(box, d, c, b, a) : looked_up(box, d, a, b, c)));
}

void plain_aes_anew_set_key(struct plain_aes_anew *aes, const uint8_t *key, int key_bytes)
{
    memcpy(aes->key, key, (size_t)key_bytes);
    aes->key_bytes = key_bytes;
}

void plain_aes_anew_encrypt(const struct plain_aes_anew *aes, uint8_t output[16], const uint8_t input[16])
{
    struct made made;
    make_sboxes(&made);
    make_columns(&made);
    expand_key(&made, aes);
    crypt(&made, 0, output, input);
}

void plain_aes_anew_decrypt(const struct plain_aes_anew *aes, uint8_t output[16], const uint8_t input[16])
{
    struct made made;
    make_sboxes(&made);
    make_inverse_columns(&made);
    expand_key(&made, aes);
    /* InvMixColumns of the keys of the middle rounds: the columns have the inverse S-box in them, which S undoes. */
    const uint8_t *box = made.sbox;
    const uint32_t *end = made.round_keys + 4 * made.rounds;
    for (uint32_t *key = made.round_keys + 4; key < end; key++) {
        uint32_t word = *key;
        *key = made.columns[0][box[word & 255]] ^ made.columns[1][box[word >> 8 & 255]] ^
               made.columns[2][box[word >> 16 & 255]] ^ made.columns[3][box[word >> 24]];
    }
    crypt(&made, 1, output, input);
}
