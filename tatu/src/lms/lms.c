/* LMS (RFC 8554), as the signature arrives. Section and algorithm numbers are those of RFC 8554.
 *
 * A signature is q, the type of LM-OTS, C; then elements: the chains of LM-OTS, the type of LMS as an element of four
 * bytes, and the path to the root. An element is collected in lms->block, where a step of a chain wants it. */
#include <tatu/lms.h>

#include <string.h>

#include "../common/flash.h"
#include "../sha2/sha256_internal.h"

#define HASH_BYTES 32
#define TYPE_BYTES 4
#define IDENTIFIER_BYTES 16
#define NUMBER_BYTES 4

/* Where the last byte of the two types, and the other fields, are in the public key (section 5.3). */
#define KEY_LMS_TYPE 3
#define KEY_OTS_TYPE 7
#define KEY_IDENTIFIER 8
#define KEY_ROOT 24

/* Where things are in the block of a step (section 4.3): I || u32str(q) || u16str(i) || u8str(j) || tmp, and the
 * padding of SHA-256 for these 55 bytes. Every other hash begins with I || number || constant, of 22 bytes. */
#define BLOCK_NUMBER 16
#define BLOCK_CHAIN 20
#define BLOCK_STEP 22
#define BLOCK_VALUE 23
#define BLOCK_PADDING 55
#define BLOCK_LENGTH 62
#define LENGTH_BITS (8 * 55)

/* Both bytes of the constants of section 7.1 are the same. */
#define D_PBLC 0x80
#define D_MESG 0x81
#define D_LEAF 0x82
#define D_INTR 0x83

enum stage { STAGE_ENDED, STAGE_MESSAGE, STAGE_SIGNATURE, STAGE_WRONG };

/* coef(S, i, w) of section 3.1.3, of the hash of the message and its checksum. The first digit of a byte is the
 * highest. */
static uint8_t digit(const struct tatu_lms *lms, uint16_t number)
{
    uint8_t below_bits = 0, byte;

    for (uint8_t bits = lms->digit_bits; bits < 8; bits = (uint8_t)(2 * bits)) {
        if ((number & 1) == 0) {
            below_bits = (uint8_t)(below_bits + bits);
        }
        number >>= 1;
    }
    byte = lms->digest[number];
    for (; below_bits > 0; below_bits--) {
        byte >>= 1;
    }
    return byte & lms->largest_digit;
}

/* Begins a hash of I || number || constant (section 7.1). */
static void start(struct tatu_lms *lms, uint8_t constant)
{
    lms->block[BLOCK_CHAIN] = constant;
    lms->block[BLOCK_CHAIN + 1] = constant;
    tatu_internal_sha256_start(&lms->hash);
    tatu_sha256_update(&lms->hash, lms->block, BLOCK_STEP);
}

static void add(struct tatu_lms *lms, const uint8_t *value)
{
    tatu_sha256_update(&lms->hash, value, HASH_BYTES);
}

static void finish(struct tatu_lms *lms)
{
    tatu_internal_sha256_finish(&lms->hash, lms->digest);
}

int tatu_lms_init(struct tatu_lms *lms, const uint8_t public_key[56], const uint8_t beginning[40])
{
    uint8_t ots_type = public_key[KEY_OTS_TYPE], height_type = (uint8_t)(public_key[KEY_LMS_TYPE] - 4);
    uint8_t wrong = ots_type ^ beginning[NUMBER_BYTES + 3];

    lms->public_key = public_key;
    lms->stage = STAGE_WRONG;
    for (uint8_t i = 0; i < 3; i++) {
        wrong = (uint8_t)(wrong | public_key[i] | public_key[4 + i] | beginning[NUMBER_BYTES + i]);
    }
    /* LM-OTS has the types 1 to 4 for w of 1, 2, 4 and 8, and p is then 265, 133, 67 and 34 (table 1). LMS has the
     * types 5 to 9 for heights of 5 to 25 (table 2). */
    if (wrong != 0 || (uint8_t)(ots_type - 1) > 3 || (uint8_t)(height_type - 1) > 4) {
        return TATU_ERR_AUTHENTICATION;
    }
    lms->digit_bits = (uint8_t)((1u << ots_type) >> 1);
    lms->largest_digit = (uint8_t)((1u << lms->digit_bits) - 1);
    lms->chains = (uint16_t)((528u >> ots_type) + 1);
    lms->height = (uint8_t)(5 * height_type);
    memcpy(lms->block, public_key + KEY_IDENTIFIER, IDENTIFIER_BYTES);
    memcpy(lms->block + BLOCK_NUMBER, beginning, NUMBER_BYTES);
    start(lms, D_MESG);
    add(lms, beginning + NUMBER_BYTES + TYPE_BYTES);
    lms->element = 0;
    lms->left = HASH_BYTES;
    lms->stage = STAGE_MESSAGE;
    return TATU_OK;
}

void tatu_lms_update_message(struct tatu_lms *lms, const uint8_t *message, size_t length)
{
    if (lms->stage == STAGE_MESSAGE) {
        tatu_sha256_update(&lms->hash, message, length);
    } else if (lms->stage == STAGE_SIGNATURE && length > 0) {
        lms->stage = STAGE_WRONG;
    }
}

/* The message is complete: its hash and its checksum (section 4.4), and the hash of the ends of the chains begins. */
static void end_message(struct tatu_lms *lms)
{
    uint16_t checksum = 0, number = 0;
    uint8_t bits = 0; /* of the hash, modulo 256 */

    finish(lms);
    do {
        checksum = (uint16_t)(checksum + lms->largest_digit - digit(lms, number));
        number++;
        bits = (uint8_t)(bits + lms->digit_bits);
    } while (bits != 0);
    checksum = (uint16_t)(checksum << (8 - lms->digit_bits)); /* ls of table 1 */
    lms->digest[HASH_BYTES] = (uint8_t)(checksum >> 8);
    lms->digest[HASH_BYTES + 1] = (uint8_t)checksum;
    memset(lms->block + BLOCK_PADDING, 0, sizeof lms->block - BLOCK_PADDING);
    lms->block[BLOCK_PADDING] = 0x80;
    lms->block[BLOCK_LENGTH] = LENGTH_BITS >> 8;
    lms->block[BLOCK_LENGTH + 1] = LENGTH_BITS & 0xff;
    start(lms, D_PBLC);
    lms->stage = STAGE_SIGNATURE;
}

/* The rest of a chain (algorithm 4b, step 3). Its end is in the block, and goes to the hash of the ends. */
static void walk_chain(struct tatu_lms *lms)
{
    uint8_t *block = lms->block;
    struct tatu_sha256 hash;

    block[BLOCK_CHAIN] = (uint8_t)(lms->element >> 8);
    block[BLOCK_CHAIN + 1] = (uint8_t)lms->element;
    for (block[BLOCK_STEP] = digit(lms, lms->element); block[BLOCK_STEP] < lms->largest_digit; block[BLOCK_STEP]++) {
        tatu_internal_sha256_start(&hash);
        tatu_internal_sha256_compress(&hash, block);
        tatu_internal_sha256_store(hash.state, block + BLOCK_VALUE, 8);
    }
    add(lms, block + BLOCK_VALUE);
}

/* The type of LMS stands between the chains and the path. The chains are complete: their hash is that of the leaf,
 * which has the number 2^h + q. Should q be 2^h or more, the root would not be number 1. */
static void take_type(struct tatu_lms *lms)
{
    uint8_t *byte = lms->block + BLOCK_NUMBER + 3 - lms->height / 8;

    *byte = (uint8_t)(*byte ^ 1u << lms->height % 8);
    if (memcmp(lms->block + BLOCK_PADDING - TYPE_BYTES, lms->public_key, TYPE_BYTES) != 0) {
        lms->stage = STAGE_WRONG;
    }
    finish(lms);
    start(lms, D_LEAF);
    add(lms, lms->digest);
    finish(lms);
}

/* The node above, from the node and what the path has beside it (algorithm 6a, step 4). */
static void climb(struct tatu_lms *lms)
{
    uint8_t *number = lms->block + BLOCK_NUMBER;
    uint8_t carried = 0;

    for (uint8_t i = 0; i < NUMBER_BYTES; i++) {
        uint8_t next = (uint8_t)(number[i] << 7);
        number[i] = (uint8_t)(number[i] >> 1 | carried);
        carried = next;
    }
    start(lms, D_INTR);
    if (carried == 0) {
        add(lms, lms->digest);
    }
    add(lms, lms->block + BLOCK_VALUE);
    if (carried != 0) {
        add(lms, lms->digest);
    }
    finish(lms);
}

/* An element is complete. What comes next has 32 bytes, or 4 if it is the type; after the last node comes nothing. */
static void take_element(struct tatu_lms *lms)
{
    uint16_t element = lms->element, ends = lms->chains;

    if (element < ends) {
        walk_chain(lms);
    } else if (element == ends) {
        take_type(lms);
    } else {
        climb(lms);
    }
    element++;
    lms->element = element;
    lms->left = HASH_BYTES;
    if (element == ends) {
        lms->left = TYPE_BYTES;
    } else if (element > (uint16_t)(ends + lms->height)) {
        lms->left = 0;
    }
}

void tatu_lms_update_signature(struct tatu_lms *lms, const uint8_t *signature, size_t length)
{
    if (lms->stage == STAGE_MESSAGE && length > 0) {
        end_message(lms);
    }
    for (; length > 0 && lms->stage == STAGE_SIGNATURE; length--) {
        if (lms->left == 0) { /* longer than a signature is */
            lms->stage = STAGE_WRONG;
        } else {
            lms->block[BLOCK_PADDING - lms->left] = *signature++;
            lms->left--;
            if (lms->left == 0) {
                take_element(lms);
            }
        }
    }
}

int tatu_lms_final(struct tatu_lms *lms)
{
    const uint8_t *number = lms->block + BLOCK_NUMBER;
    int result = TATU_ERR_AUTHENTICATION;

    if (lms->stage == STAGE_ENDED) {
        result = TATU_ERR_STATE;
    } else if (lms->stage == STAGE_SIGNATURE && lms->left == 0 && (number[0] | number[1] | number[2]) == 0 &&
               number[3] == 1 && memcmp(lms->digest, lms->public_key + KEY_ROOT, HASH_BYTES) == 0) {
        result = TATU_OK;
    }
    lms->stage = STAGE_ENDED;
    return result;
}
