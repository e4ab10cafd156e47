/* Hashes and extendable-output functions: the same output in one call and in pieces of any lengths. */
#include <tatu/ascon.h>
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/sha512.h>

#include "fuzz.h"

struct hash {
    size_t digest_bytes;
    void (*whole)(uint8_t *digest, const uint8_t *input, size_t length);
    void (*in_pieces)(uint8_t *digest, const uint8_t *input, size_t length, struct reader *pieces);
};

#define DEFINE_HASH(name)                                                                                     \
    static void name##_whole(uint8_t *digest, const uint8_t *input, size_t length)                            \
    {                                                                                                         \
        name(digest, input, length);                                                                          \
    }                                                                                                         \
    static void name##_in_pieces(uint8_t *digest, const uint8_t *input, size_t length, struct reader *pieces) \
    {                                                                                                         \
        struct name hash;                                                                                     \
        name##_init(&hash);                                                                                   \
        while (length > 0) {                                                                                  \
            const size_t piece = smaller(next_byte(pieces) + 1u, length);                                     \
            uint8_t *const copy = copy_buffer(input, piece);                                                  \
            name##_update(&hash, copy, piece);                                                                \
            name##_update(&hash, NULL, 0);                                                                    \
            free(copy);                                                                                       \
            input += piece;                                                                                   \
            length -= piece;                                                                                  \
        }                                                                                                     \
        name##_final(&hash, digest);                                                                          \
        CHECK(is_zero((const uint8_t *)&hash, sizeof hash));                                                  \
    }

DEFINE_HASH(tatu_sha256)
DEFINE_HASH(tatu_sha512)
DEFINE_HASH(tatu_sha3_256)
DEFINE_HASH(tatu_sha3_512)
DEFINE_HASH(tatu_ascon_hash256)

static const struct hash hashes[] = {
    {32, tatu_sha256_whole, tatu_sha256_in_pieces},
    {64, tatu_sha512_whole, tatu_sha512_in_pieces},
    {32, tatu_sha3_256_whole, tatu_sha3_256_in_pieces},
    {64, tatu_sha3_512_whole, tatu_sha3_512_in_pieces},
    {32, tatu_ascon_hash256_whole, tatu_ascon_hash256_in_pieces},
};
#define HASHES (sizeof hashes / sizeof hashes[0])

static void try_hash(const struct hash *hash, struct reader *reader)
{
    struct reader pieces = *reader;
    const size_t length = reader->left;
    uint8_t *const input = take_buffer(reader, length);
    uint8_t *const whole = new_buffer(hash->digest_bytes);
    uint8_t *const in_pieces = new_buffer(hash->digest_bytes);

    hash->whole(whole, input, length);
    hash->in_pieces(in_pieces, input, length, &pieces);
    CHECK(is_equal(whole, in_pieces, hash->digest_bytes));
    free(input);
    free(whole);
    free(in_pieces);
}

#define DEFINE_SHAKE(name)                                                  \
    static void try_##name(struct reader *reader)                           \
    {                                                                       \
        struct reader pieces = *reader;                                     \
        const size_t output_length = next_byte(reader) * 2u;                \
        const size_t length = reader->left;                                 \
        uint8_t *const input = take_buffer(reader, length);                 \
        uint8_t *const whole = new_buffer(output_length);                   \
        struct name xof;                                                    \
        name(whole, output_length, input, length);                          \
        name##_init(&xof);                                                  \
        for (size_t done = 0, piece; done < length; done += piece) {        \
            piece = smaller(next_byte(&pieces) + 1u, length - done);        \
            name##_update(&xof, input + done, piece);                       \
        }                                                                   \
        for (size_t done = 0, piece; done < output_length; done += piece) { \
            uint8_t *output;                                                \
            piece = smaller(next_byte(&pieces) + 1u, output_length - done); \
            output = new_buffer(piece);                                     \
            name##_squeeze(&xof, output, piece);                            \
            CHECK(is_equal(output, whole + done, piece));                   \
            free(output);                                                   \
        }                                                                   \
        free(input);                                                        \
        free(whole);                                                        \
    }

DEFINE_SHAKE(tatu_shake128)
DEFINE_SHAKE(tatu_shake256)

static void try_ascon_xof128(struct reader *reader)
{
    struct reader pieces = *reader;
    const size_t output_length = next_byte(reader) * 2u;
    const size_t length = reader->left;
    uint8_t *const input = take_buffer(reader, length);
    uint8_t *const whole = new_buffer(output_length);
    uint8_t *const in_pieces = new_buffer(output_length);
    struct tatu_ascon_xof128 xof;

    tatu_ascon_xof128(whole, output_length, input, length);
    tatu_ascon_xof128_init(&xof);
    for (size_t done = 0, piece; done < length; done += piece) {
        piece = smaller(next_byte(&pieces) + 1u, length - done);
        tatu_ascon_xof128_update(&xof, input + done, piece);
    }
    tatu_ascon_xof128_final(&xof, in_pieces, output_length);
    CHECK(is_equal(whole, in_pieces, output_length));
    free(input);
    free(whole);
    free(in_pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader reader = {data, size};
    const size_t choice = next_byte(&reader) % (HASHES + 3);

    if (choice < HASHES) {
        try_hash(&hashes[choice], &reader);
    } else if (choice == HASHES) {
        try_tatu_shake128(&reader);
    } else if (choice == HASHES + 1) {
        try_tatu_shake256(&reader);
    } else {
        try_ascon_xof128(&reader);
    }
    return 0;
}
