/* One parameter set, LMS_SHA256_M32_H10 with LMOTS_SHA256_N32_W4, and a signature that is asked for item by item:
 * Tatu's tatu_lms is for every set and for pieces of any length, which takes 640 bytes more. Section and algorithm
 * numbers are those of RFC 8554. */
#include "bootloader/signature.h"

#include <string.h>
#include <tatu/sha256.h>
#include <tatulink/bytes.h>

#include "bootloader/identity.h"
#include "bootloader/layout.h"

#define CHAINS 67
#define LARGEST_DIGIT 15
#define HEIGHT 10
#define DIGITS_OF_HASH 64

#define ITEM_C 2
#define ITEM_CHAINS 3
#define ITEM_PATH (ITEM_CHAINS + CHAINS)

/* What is hashed begins with I || u32str(number), and u16str(chain) || u8str(step) or u16str(constant) (sections 4.3 to
 * 5.4). */
#define AT_NUMBER 18
#define AT_CHAIN 20
#define AT_STEP 22
#define AT_START 23 /* of a chain's value */
#define AT_CONTENT 22 /* of everything else */

/* Section 7.1 */
#define D_PBLC 0x8080
#define D_MESG 0x8181
#define D_LEAF 0x8282
#define D_INTR 0x8383

/* At fixed addresses, which takes less code than a frame on the stack. Written before they are read in every call. */
static uint8_t block[AT_CONTENT + HASH_BYTES + HEADER_BYTES];
static uint8_t hash[HASH_BYTES + 2];
static struct tatu_sha256_small ends;

/* Algorithm 3, step 3: the hash is followed by its checksum, shifted to the left by ls = 4. */
static void append_checksum(void)
{
    uint16_t sum = 0;

    for (uint8_t i = 0; i < HASH_BYTES; i++) {
        sum = (uint16_t)(sum + 2 * LARGEST_DIGIT - (hash[i] >> 4) - (hash[i] & 15));
    }
    put_u16(hash + HASH_BYTES, (uint16_t)(sum << 4));
}

static uint8_t digit(uint8_t number)
{
    uint8_t byte = hash[number / 2];
    return (number & 1) == 0 ? byte >> 4 : byte & 15;
}

static void hash_block(uint8_t *digest, uint8_t content_bytes)
{
    tatu_sha256_small(digest, block, (uint8_t)(AT_CONTENT + content_bytes));
}

bool signature_holds(const uint8_t header[64], get_item *get)
{
    uint16_t number = get_u16(header + HEADER_LEAF_AT);

    identity_read(0, block, IDENTIFIER_BYTES);
    put_u16(block + IDENTIFIER_BYTES, 0);
    put_u16(block + AT_NUMBER, number);

    /* Algorithm 4b, step 3 */
    put_u16(block + AT_CHAIN, D_MESG);
    if (!get(ITEM_C, block + AT_CONTENT)) {
        return false;
    }
    memcpy(block + AT_CONTENT + HASH_BYTES, header, HEADER_BYTES);
    hash_block(hash, HASH_BYTES + HEADER_BYTES);
    append_checksum();

    put_u16(block + AT_CHAIN, D_PBLC);
    tatu_sha256_small_init(&ends);
    tatu_sha256_small_update(&ends, block, AT_CONTENT);
    for (uint8_t chain = 0; chain < CHAINS; chain++) {
        if (!get((uint8_t)(ITEM_CHAINS + chain), block + AT_START)) {
            return false;
        }
        put_u16(block + AT_CHAIN, chain);
        for (block[AT_STEP] = digit(chain); block[AT_STEP] < LARGEST_DIGIT; block[AT_STEP]++) {
            hash_block(block + AT_START, 1 + HASH_BYTES);
        }
        tatu_sha256_small_update(&ends, block + AT_START, HASH_BYTES);
    }
    tatu_sha256_small_final(&ends, hash);

    /* Algorithm 6a, from step 3 on. Should the leaf be 2^h or more, the last number is not 1. */
    number = (uint16_t)(number + (1U << HEIGHT));
    put_u16(block + AT_NUMBER, number);
    put_u16(block + AT_CHAIN, D_LEAF);
    memcpy(block + AT_CONTENT, hash, HASH_BYTES);
    hash_block(hash, HASH_BYTES);
    put_u16(block + AT_CHAIN, D_INTR);
    for (uint8_t item = ITEM_PATH; item < ITEM_PATH + HEIGHT; item++) {
        uint8_t *pair = block + AT_CONTENT;
        uint8_t beside = (number & 1) != 0 ? 0 : HASH_BYTES; /* a node of an odd number is the right one */

        if (!get(item, pair + beside)) {
            return false;
        }
        memcpy(pair + (beside ^ HASH_BYTES), hash, HASH_BYTES);
        number >>= 1;
        put_u16(block + AT_NUMBER, number);
        hash_block(hash, 2 * HASH_BYTES);
    }
    identity_read(IDENTITY_ROOT_AT, block, HASH_BYTES);
    return number == 1 && memcmp(block, hash, HASH_BYTES) == 0;
}
