/* CMAC: the same tag in one call and in pieces; it verifies, any change of it does not; lengths it has not are
 * refused. */
#include <tatu/aes.h>
#include <tatu/cmac.h>
#include <tatu/speck.h>

#include "fuzz.h"

#define LONGEST_TAG 18

static void update_in_pieces(struct tatu_cmac *mac, const uint8_t *message, size_t length, struct reader pieces)
{
    for (size_t done = 0, piece; done < length; done += piece) {
        piece = smaller(next_byte(&pieces) + 1u, length - done);
        tatu_cmac_update(mac, message + done, piece);
        tatu_cmac_update(mac, NULL, 0);
    }
}

static void try_key(const struct tatu_cmac_key *key, size_t block_bytes, struct reader reader)
{
    const struct reader pieces = reader;
    const size_t tag_length = next_byte(&reader) % (LONGEST_TAG + 1);
    const size_t bit = next_byte(&reader);
    const size_t length = reader.left;
    uint8_t *const message = take_buffer(&reader, length);
    uint8_t *const tag = new_buffer(tag_length);
    uint8_t *const in_pieces = new_buffer(tag_length);
    const int is_valid = tag_length >= TATU_CMAC_SHORTEST_TAG_BYTES && tag_length <= block_bytes;
    const int expected = is_valid ? TATU_OK : TATU_ERR_LENGTH;
    struct tatu_cmac mac;

    CHECK(tatu_cmac(key, tag, tag_length, message, length) == expected);
    CHECK(is_valid || is_zero(tag, tag_length));
    tatu_cmac_init(&mac, key);
    update_in_pieces(&mac, message, length, pieces);
    CHECK(tatu_cmac_final(&mac, in_pieces, tag_length) == expected);
    CHECK(is_equal(tag, in_pieces, tag_length));
    CHECK(tatu_cmac_verify(key, tag, tag_length, message, length) == expected);
    tatu_cmac_init(&mac, key);
    update_in_pieces(&mac, message, length, pieces);
    CHECK(tatu_cmac_verify_final(&mac, tag, tag_length) == expected);
    if (is_valid) {
        tag[bit / 8 % tag_length] ^= (uint8_t)(1u << bit % 8);
        CHECK(tatu_cmac_verify(key, tag, tag_length, message, length) == TATU_ERR_AUTHENTICATION);
    }
    free(message);
    free(tag);
    free(in_pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader reader = {data, size};
    struct tatu_cmac_key key;
    uint8_t key_bytes[16];

    if (next_byte(&reader) % 2 == 0) {
        struct tatu_aes128_small aes;

        take(&reader, key_bytes, sizeof key_bytes);
        tatu_aes128_small_set_key(&aes, key_bytes);
        tatu_cmac_set_key(&key, tatu_aes128_small_encrypter(&aes));
        try_key(&key, TATU_AES_BLOCK_BYTES, reader);
    } else {
        struct tatu_speck64_128 speck;

        take(&reader, key_bytes, sizeof key_bytes);
        tatu_speck64_128_set_key(&speck, key_bytes);
        tatu_cmac_set_key(&key, tatu_speck64_128_encrypter(&speck));
        try_key(&key, TATU_SPECK64_BLOCK_BYTES, reader);
    }
    return 0;
}
