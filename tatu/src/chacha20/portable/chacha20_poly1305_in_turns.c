/* ChaCha20-Poly1305 of a whole message on AVR (RFC 8439, section 2.8), in little stack: cipher and authenticator take
 * turns with the same memory. Elsewhere: chacha20_poly1305_encrypt.c, chacha20_poly1305_decrypt.c. */
#if defined(__AVR__)

#include "../chacha20_poly1305_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../../common/equal.h"
#include "../../poly1305/poly1305_internal.h"
#include "../chacha20_internal.h"

/* The one-time key is block 0 (section 2.6), the message begins with block 1. */
#define KEY_BLOCK 0
#define FIRST_BLOCK 1

union work {
    struct tatu_internal_poly1305 poly1305;
    uint8_t key_stream[TATU_CHACHA20_BLOCK_BYTES];
};

static void start(union work *work, const uint8_t key[32], const uint8_t nonce[12])
{
    tatu_chacha20_block(key, work->key_stream, KEY_BLOCK, nonce);
    tatu_internal_poly1305_init(&work->poly1305, work->key_stream);
}

/* Takes `length` bytes, and zeros to the end of their last block. */
static __attribute__((noinline)) void authenticate(struct tatu_internal_poly1305 *poly1305, const uint8_t *input,
                                                   size_t length)
{
    const uint8_t left = (uint8_t)(length % TATU_INTERNAL_POLY1305_BLOCK_BYTES);
    const size_t blocks = length / TATU_INTERNAL_POLY1305_BLOCK_BYTES;

    if (blocks > 0) {
        tatu_internal_poly1305_multiply(poly1305->accumulator, poly1305->r, input, blocks);
        input += length - left;
    }
    if (left > 0) {
        memset(poly1305->block, 0, sizeof poly1305->block);
        memcpy(poly1305->block, input, left);
        tatu_internal_poly1305_multiply(poly1305->accumulator, poly1305->r, poly1305->block, 1);
    }
}

/* Takes the lengths, and gives the tag. */
static __attribute__((noinline)) void finish(struct tatu_internal_poly1305 *poly1305, size_t associated_data_length,
                                             size_t length, uint8_t tag[16])
{
    uint8_t *const lengths = poly1305->block;

    memset(lengths, 0, sizeof poly1305->block);
    lengths[0] = (uint8_t)associated_data_length;
    lengths[1] = (uint8_t)(associated_data_length >> 8);
    lengths[8] = (uint8_t)length;
    lengths[9] = (uint8_t)(length >> 8);
    tatu_internal_poly1305_multiply(poly1305->accumulator, poly1305->r, lengths, 1);
    tatu_internal_poly1305_final(poly1305, tag);
}

/* Every length that a size_t of AVR holds is valid. */
int tatu_chacha20_poly1305_encrypt(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                   const uint8_t *associated_data, size_t associated_data_length,
                                   const uint8_t nonce[12], uint8_t tag[16])
{
    union work work;

    tatu_internal_chacha20_crypt_whole(key, output, input, length, FIRST_BLOCK, nonce, work.key_stream);
    start(&work, key, nonce);
    authenticate(&work.poly1305, associated_data, associated_data_length);
    authenticate(&work.poly1305, output, length);
    finish(&work.poly1305, associated_data_length, length, tag);
    return TATU_OK;
}

int tatu_chacha20_poly1305_decrypt(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                   const uint8_t *associated_data, size_t associated_data_length,
                                   const uint8_t nonce[12], const uint8_t tag[16])
{
    union work work;
    uint8_t expected[TATU_CHACHA20_POLY1305_TAG_BYTES];
    int result = TATU_ERR_AUTHENTICATION;

    start(&work, key, nonce);
    authenticate(&work.poly1305, associated_data, associated_data_length);
    authenticate(&work.poly1305, input, length);
    finish(&work.poly1305, associated_data_length, length, expected);
    if (tatu_internal_equal(expected, tag, sizeof expected)) {
        tatu_internal_chacha20_crypt_whole(key, output, input, length, FIRST_BLOCK, nonce, work.key_stream);
        tatu_wipe(work.key_stream, sizeof work.key_stream);
        result = TATU_OK;
    } else {
        tatu_wipe(output, length);
    }
    tatu_wipe(expected, sizeof expected);
    return result;
}

#else
typedef int tatu_internal_chacha20_poly1305_in_turns_is_for_avr;
#endif
