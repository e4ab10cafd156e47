/* Speck-128 on many blocks against Speck-128 on one: exits with 0 if they agree for every number of blocks up to MOST, each key size, aligned or
 * not, in place or not, in both directions. */
#include <string.h>

#include <tatu/speck.h>

#define MOST 35

static uint32_t state = 2463534242u;

static uint8_t next_byte(void)
{
    state ^= state << 13; /* Marsaglia's xorshift */
    state ^= state >> 17;
    state ^= state << 5;
    return (uint8_t)(state >> 11);
}

static uint8_t from[16 * MOST + 1], to[16 * MOST + 2], expected[16 * MOST];

#define CHECK(bits, direction)                                                                \
    static int check_##bits##_##direction(size_t blocks, size_t shift, int in_place)          \
    {                                                                                         \
        struct tatu_speck128_##bits context;                                                  \
        uint8_t key[(bits) / 8];                                                              \
        uint8_t *const input = from + shift;                                                  \
        uint8_t *const output = in_place ? input : to + shift;                                \
        for (size_t i = 0; i < sizeof key; i++) {                                             \
            key[i] = next_byte();                                                             \
        }                                                                                     \
        for (size_t i = 0; i < 16 * blocks; i++) {                                            \
            input[i] = next_byte();                                                           \
        }                                                                                     \
        to[shift + 16 * blocks] = 0xa5;                                                       \
        tatu_speck128_##bits##_set_key(&context, key);                                        \
        for (size_t i = 0; i < blocks; i++) {                                                 \
            tatu_speck128_##bits##_##direction(&context, expected + 16 * i, input + 16 * i);  \
        }                                                                                     \
        tatu_speck128_##bits##_##direction##_blocks(&context, output, input, blocks);         \
        return memcmp(output, expected, 16 * blocks) == 0 && to[shift + 16 * blocks] == 0xa5; \
    }

CHECK(128, encrypt)
CHECK(128, decrypt)
CHECK(192, encrypt)
CHECK(192, decrypt)
CHECK(256, encrypt)
CHECK(256, decrypt)

int main(void)
{
    int good = 1;
    for (size_t blocks = 0; blocks <= MOST; blocks++) {
        for (size_t shift = 0; shift < 2; shift++) {
            for (int in_place = 0; in_place < 2; in_place++) {
                good &= check_128_encrypt(blocks, shift, in_place) & check_128_decrypt(blocks, shift, in_place);
                good &= check_192_encrypt(blocks, shift, in_place) & check_192_decrypt(blocks, shift, in_place);
                good &= check_256_encrypt(blocks, shift, in_place) & check_256_decrypt(blocks, shift, in_place);
            }
        }
    }
    return good ? 0 : 1;
}
