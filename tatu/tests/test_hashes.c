/* Hashes: the examples of NIST for FIPS 180-4 and FIPS 202 ("abc" and the empty message), and Ascon's known answers
 * for the message 00 01 02 (NIST SP 800-232; a model of the standard computed them). Whole and byte by byte. */
#include <tatu/ascon.h>
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/sha512.h>

#include "kit.h"

static const uint8_t abc[3] = {'a', 'b', 'c'};
static const uint8_t counting[3] = {0, 1, 2};

#define CHECK_HASH(name, bytes, message, digest_text)       \
    do {                                                    \
        struct tatu_##name hash;                            \
        uint8_t expected[bytes], digest[bytes];             \
        CHECK(kit_bytes(expected, digest_text) == (bytes)); \
        tatu_##name(digest, message, sizeof(message));      \
        CHECK_BYTES(digest, expected, bytes);               \
        tatu_##name##_init(&hash);                          \
        for (size_t i = 0; i < sizeof(message); i++) {      \
            tatu_##name##_update(&hash, (message) + i, 1);  \
        }                                                   \
        tatu_##name##_final(&hash, digest);                 \
        CHECK_BYTES(digest, expected, bytes);               \
        CHECK(kit_is_zero((uint8_t *)&hash, sizeof hash));  \
        tatu_##name##_update(&hash, message, 1);            \
        tatu_##name##_final(&hash, digest);                 \
        CHECK(kit_is_zero(digest, bytes));                  \
    } while (0)

#define CHECK_SHAKE(name, output_text)                  \
    do {                                                \
        struct tatu_##name xof;                         \
        uint8_t expected[32], output[32];               \
        CHECK(kit_bytes(expected, output_text) == 32);  \
        tatu_##name(output, 32, NULL, 0);               \
        CHECK_BYTES(output, expected, 32);              \
        tatu_##name##_init(&xof);                       \
        for (size_t i = 0; i < 32; i++) {               \
            tatu_##name##_squeeze(&xof, output + i, 1); \
        }                                               \
        CHECK_BYTES(output, expected, 32);              \
    } while (0)

int main(void)
{
    uint8_t expected[32], output[32];

    CHECK_HASH(sha256, 32, abc, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_HASH(sha256_small, 32, abc, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_HASH(sha384, 48, abc,
               "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
               "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
    CHECK_HASH(sha512, 64, abc,
               "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
               "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
    CHECK_HASH(sha3_256, 32, abc, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
    CHECK_HASH(sha3_512, 64, abc,
               "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
               "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0");
    CHECK_SHAKE(shake128, "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26");
    CHECK_SHAKE(shake256, "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f");
    CHECK_HASH(ascon_hash256, 32, counting, "265ab89a609f5a05dca57e83fbba700f9a2d2c4211ba4cc9f0a1a369e17b915c");
    CHECK(kit_bytes(expected, "9c96f31c3e7bdfdc5ef6ba836f760a0d6548d94dd0a512033022c9242e8ba916") == 32);
    tatu_ascon_xof128(output, 32, counting, 3);
    CHECK_BYTES(output, expected, 32);
    return kit_result();
}
