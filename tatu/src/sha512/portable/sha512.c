/* SHA-512 (FIPS 180-4) around its compression function. */
#include "../sha512_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/flash.h"
#include "../../common/wipe_stack.h"

#if defined(__AVR__)
#define COPY_FROM_FLASH memcpy_P
#else
#define COPY_FROM_FLASH memcpy
#endif

/* Set in length_bytes[1] from init to final. A message is too short to count this far. The wipe at the end of a
 * message clears it. */
#define OPEN UINT32_C(0x80000000)

/* The message's length in bits is the last 16 bytes of its last block. The highest 8 are zeros. */
#define LENGTH_POSITION 112

/* FIPS 180-4, section 5.3.5. */
static const uint64_t initial_state[8] TATU_INTERNAL_IN_FLASH = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static void store_big_endian(uint8_t bytes[4], uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

/* The number of bytes of the next block so far. */
static uint8_t position(const struct tatu_sha512 *hash)
{
    return (uint8_t)(hash->length_bytes[0] % TATU_SHA512_BLOCK_BYTES);
}

void tatu_internal_sha512_open(struct tatu_sha512 *hash, const uint64_t words[8])
{
    COPY_FROM_FLASH(hash->state, words, sizeof hash->state);
    hash->length_bytes[0] = 0;
    hash->length_bytes[1] = OPEN;
}

void tatu_sha512_init(struct tatu_sha512 *hash)
{
    tatu_internal_sha512_open(hash, initial_state);
}

static void count(struct tatu_sha512 *hash, size_t length)
{
    hash->length_bytes[0] += (uint32_t)length;
    hash->length_bytes[1] += hash->length_bytes[0] < (uint32_t)length; /* carry */
#if SIZE_MAX > UINT32_MAX
    hash->length_bytes[1] += (uint32_t)(length >> 32);
#endif
}

/* A hash that is not open is no special case here. It stays so, and final then drops what it holds. */
void tatu_sha512_update(struct tatu_sha512 *hash, const uint8_t *input, size_t length)
{
    uint8_t filled = position(hash);

    if (length == 0) { /* `input` may be NULL, which memcpy may not be given */
        return;
    }
    count(hash, length);
    if (filled > 0) {
        uint8_t missing = (uint8_t)(TATU_SHA512_BLOCK_BYTES - filled);
        if (length < missing) {
            memcpy(hash->block + filled, input, length);
            return;
        }
        memcpy(hash->block + filled, input, missing);
        tatu_internal_sha512_compress(hash, hash->block);
        input += missing;
        length -= missing;
    }
    for (; length >= TATU_SHA512_BLOCK_BYTES; length -= TATU_SHA512_BLOCK_BYTES) {
        tatu_internal_sha512_compress(hash, input);
        input += TATU_SHA512_BLOCK_BYTES;
    }
    memcpy(hash->block, input, length);
}

/* Padding: a one bit, zeros, the length in bits (FIPS 180-4, section 5.1.2). */
static void finish(struct tatu_sha512 *hash)
{
    uint8_t filled = position(hash);
    uint8_t carried;

    hash->block[filled] = 0x80;
    filled++;
    if (filled > LENGTH_POSITION) { /* the length needs another block */
        memset(hash->block + filled, 0, (size_t)(TATU_SHA512_BLOCK_BYTES - filled));
        tatu_internal_sha512_compress(hash, hash->block);
        filled = 0;
    }
    memset(hash->block + filled, 0, (size_t)(LENGTH_POSITION + 8 - filled));
    /* Three bits go from the low word to the high one, by way of a byte: AVR shifts words a bit at a time. The shift
     * to the left drops the mark. */
    carried = (uint8_t)((uint8_t)(hash->length_bytes[0] >> 24) >> 5);
    store_big_endian(hash->block + LENGTH_POSITION + 8, hash->length_bytes[1] << 3 | carried);
    store_big_endian(hash->block + LENGTH_POSITION + 12, hash->length_bytes[0] << 3);
    tatu_internal_sha512_compress(hash, hash->block);
}

void tatu_internal_sha512_close(struct tatu_sha512 *hash, uint8_t *digest, uint8_t digest_bytes)
{
    if ((hash->length_bytes[1] & OPEN) == 0) { /* the digest of something else would look right */
        memset(digest, 0, digest_bytes);
    } else {
        finish(hash);
        for (uint8_t i = 0; i < digest_bytes / 8; i++) {
            store_big_endian(digest + 8 * i, (uint32_t)(hash->state[i] >> 32));
            store_big_endian(digest + 8 * i + 4, (uint32_t)hash->state[i]);
        }
    }
    tatu_wipe(hash, sizeof *hash);
}

void tatu_sha512_final(struct tatu_sha512 *hash, uint8_t digest[64])
{
    tatu_internal_sha512_close(hash, digest, TATU_SHA512_DIGEST_BYTES);
}

/* For the frames of `digest_of` and of what it calls, which may push a register that held a byte of the message. */
#define STACK_BYTES 320

static TATU_INTERNAL_FRAME_OF_ITS_OWN void digest_of(uint8_t digest[64], const uint8_t *input, size_t length)
{
    struct tatu_sha512 hash;

    tatu_sha512_init(&hash);
    tatu_sha512_update(&hash, input, length);
    tatu_sha512_final(&hash, digest);
}

void tatu_sha512(uint8_t digest[64], const uint8_t *input, size_t length)
{
    digest_of(digest, input, length);
    tatu_internal_wipe_stack(STACK_BYTES);
}
