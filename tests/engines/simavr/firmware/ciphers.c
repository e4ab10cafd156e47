/* Whole operations of Tatu, each in a region of its own, in the order of OPERATIONS in test_simavr_against_avr8js.py.
 *
 * A wrong result ends in an endless loop instead of the marker "halt". */
#include "markers.h"

#include <string.h>

#include <tatu/aes.h>
#include <tatu/speck.h>

#define REGION(call)        \
    do {                    \
        MARK(MARKER_BEGIN); \
        call;               \
        MARK(MARKER_END);   \
    } while (0)

static const uint8_t key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* FIPS 197, appendix C.1 */
static const uint8_t aes_plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                      0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const uint8_t aes_cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                       0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

/* Simon and Speck Implementation Guide, "Speck128/128" test vector, as bytes */
static const uint8_t speck_plain[16] = {0x20, 0x6d, 0x61, 0x64, 0x65, 0x20, 0x69, 0x74,
                                        0x20, 0x65, 0x71, 0x75, 0x69, 0x76, 0x61, 0x6c};
static const uint8_t speck_cipher[16] = {0x18, 0x0d, 0x57, 0x5c, 0xdf, 0xfe, 0x60, 0x78,
                                         0x65, 0x32, 0x78, 0x79, 0x51, 0x98, 0x5d, 0xa6};

static uint8_t block[16];

static void must_be(const uint8_t expected[16])
{
    if (memcmp(block, expected, 16) != 0) {
        for (;;) {
        }
    }
}

/* One key context for both directions. */
#define RUN(name, context_type, plain, cipher)          \
    do {                                                \
        static struct context_type context;             \
        REGION(name##_set_key(&context, key));          \
        memcpy(block, plain, 16);                       \
        REGION(name##_encrypt(&context, block, block)); \
        must_be(cipher);                                \
        REGION(name##_decrypt(&context, block, block)); \
        must_be(plain);                                 \
    } while (0)

/* A key context for each direction. */
#define RUN_SMALL(name, plain, cipher)                     \
    do {                                                   \
        static struct name encrypting;                     \
        static struct name##_decrypt decrypting;           \
        REGION(name##_set_key(&encrypting, key));          \
        memcpy(block, plain, 16);                          \
        REGION(name##_encrypt(&encrypting, block, block)); \
        must_be(cipher);                                   \
        REGION(name##_set_decrypt_key(&decrypting, key));  \
        REGION(name##_decrypt(&decrypting, block, block)); \
        must_be(plain);                                    \
    } while (0)

int main(void)
{
    RUN(tatu_aes128, tatu_aes128, aes_plain, aes_cipher);
    RUN(tatu_aes128_ram, tatu_aes128, aes_plain, aes_cipher);
    RUN_SMALL(tatu_aes128_small, aes_plain, aes_cipher);
    RUN(tatu_aes128_tiny, tatu_aes128_tiny, aes_plain, aes_cipher);
    RUN(tatu_speck128_128, tatu_speck128_128, speck_plain, speck_cipher);
    RUN_SMALL(tatu_speck128_128_small, speck_plain, speck_cipher);
    RUN(tatu_speck128_128_tiny, tatu_speck128_128_tiny, speck_plain, speck_cipher);
    MARK(MARKER_HALT);
}
