#include "../sha256_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/flash.h"

#if defined(__AVR__)
#define COPY_FROM_FLASH memcpy_P
#else
#define COPY_FROM_FLASH memcpy
#endif

/* The message's length in bits is the last 8 bytes of its last block. */
#define LENGTH_POSITION 56

/* FIPS 180-4, section 5.3.3 */
static const uint32_t initial_state[8] TATU_INTERNAL_IN_FLASH = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static void store_big_endian(uint8_t bytes[4], uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

/* The number of bytes of the next block so far. */
static uint8_t position(const struct tatu_sha256 *hash)
{
    return (uint8_t)(hash->length_bytes[0] % TATU_SHA256_BLOCK_BYTES);
}

void tatu_sha256_init(struct tatu_sha256 *hash)
{
    COPY_FROM_FLASH(hash->state, initial_state, sizeof initial_state);
    hash->length_bytes[0] = 0;
    hash->length_bytes[1] = 0;
}

static void count(struct tatu_sha256 *hash, size_t length)
{
    hash->length_bytes[0] += (uint32_t)length;
    hash->length_bytes[1] += hash->length_bytes[0] < (uint32_t)length; /* carry */
#if SIZE_MAX > UINT32_MAX
    hash->length_bytes[1] += (uint32_t)(length >> 32);
#endif
}

void tatu_sha256_update(struct tatu_sha256 *hash, const uint8_t *input, size_t length)
{
    uint8_t filled = position(hash);

    if (length == 0) { /* `input` may be NULL, which memcpy may not be given */
        return;
    }
    count(hash, length);
    if (filled > 0) {
        uint8_t missing = (uint8_t)(TATU_SHA256_BLOCK_BYTES - filled);
        if (length < missing) {
            memcpy(hash->block + filled, input, length);
            return;
        }
        memcpy(hash->block + filled, input, missing);
        tatu_internal_sha256_compress(hash, hash->block);
        input += missing;
        length -= missing;
    }
#if defined(TATU_INTERNAL_SHA256_BLOCKS)
    if (length >= TATU_SHA256_BLOCK_BYTES) {
        const size_t left = length % TATU_SHA256_BLOCK_BYTES;
        tatu_internal_sha256_compress_blocks(hash, input, length / TATU_SHA256_BLOCK_BYTES);
        input += length - left;
        length = left;
    }
#endif
    for (; length >= TATU_SHA256_BLOCK_BYTES; length -= TATU_SHA256_BLOCK_BYTES) {
        tatu_internal_sha256_compress(hash, input);
        input += TATU_SHA256_BLOCK_BYTES;
    }
    memcpy(hash->block, input, length);
}

/* Padding: a one bit, zeros, the length in bits (FIPS 180-4, section 5.1.1). */
void tatu_sha256_final(struct tatu_sha256 *hash, uint8_t digest[32])
{
    uint8_t filled = position(hash);
    uint8_t carried;

    hash->block[filled] = 0x80;
    filled++;
    if (filled > LENGTH_POSITION) { /* the length needs another block */
        memset(hash->block + filled, 0, (size_t)(TATU_SHA256_BLOCK_BYTES - filled));
        tatu_internal_sha256_compress(hash, hash->block);
        filled = 0;
    }
    memset(hash->block + filled, 0, (size_t)(LENGTH_POSITION - filled));
    /* Three bits go from the low word to the high one, by way of a byte: AVR shifts words a bit at a time. */
    carried = (uint8_t)((uint8_t)(hash->length_bytes[0] >> 24) >> 5);
    store_big_endian(hash->block + LENGTH_POSITION, hash->length_bytes[1] << 3 | carried);
    store_big_endian(hash->block + LENGTH_POSITION + 4, hash->length_bytes[0] << 3);
    tatu_internal_sha256_compress(hash, hash->block);
    for (uint8_t i = 0; i < 8; i++) {
        store_big_endian(digest + 4 * i, hash->state[i]);
    }
    tatu_wipe(hash, sizeof *hash);
}

void tatu_sha256(uint8_t digest[32], const uint8_t *input, size_t length)
{
    struct tatu_sha256 hash;

    tatu_sha256_init(&hash);
    tatu_sha256_update(&hash, input, length);
    tatu_sha256_final(&hash, digest);
}
