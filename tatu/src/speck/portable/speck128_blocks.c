/* Speck-128 on many blocks. It computes as many blocks at once as the registers hold, because the instructions of
 * different blocks do not wait for each other. */
#if !defined(__AVR__)

#include "../speck128_internal.h"

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_EIGHT_BLOCKS_IN_NEON) /* speck128_8_blocks_neon_arm.S */

/* A processor of 32 bits, but NEON adds 64. */
#define AT_ONCE 8
#define encrypt_at_once tatu_internal_speck128_encrypt_8_blocks
#define decrypt_at_once tatu_internal_speck128_decrypt_8_blocks

void encrypt_at_once(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input);
void decrypt_at_once(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input);

#elif UINTPTR_MAX > 0xffffffff

#define AT_ONCE 4

#define EACH_BLOCK(statement) \
    do {                      \
        {                     \
            enum { i = 0 };   \
            statement;        \
        }                     \
        {                     \
            enum { i = 1 };   \
            statement;        \
        }                     \
        {                     \
            enum { i = 2 };   \
            statement;        \
        }                     \
        {                     \
            enum { i = 3 };   \
            statement;        \
        }                     \
    } while (0)

static void encrypt_at_once(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input)
{
    struct tatu_internal_speck128_block block[AT_ONCE];

    EACH_BLOCK(block[i] = tatu_internal_speck128_load(input + 16 * i));
    for (; rounds > 0; rounds--, round_keys += 8) {
        const uint64_t key = tatu_internal_load64_le(round_keys);
        EACH_BLOCK(block[i].x = tatu_internal_speck128_rotate_right(block[i].x, 8));
        EACH_BLOCK(block[i].x += block[i].y);
        EACH_BLOCK(block[i].x ^= key);
        EACH_BLOCK(block[i].y = tatu_internal_speck128_rotate_left(block[i].y, 3) ^ block[i].x);
    }
    EACH_BLOCK(tatu_internal_speck128_store(output + 16 * i, &block[i]));
}

static void decrypt_at_once(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input)
{
    struct tatu_internal_speck128_block block[AT_ONCE];

    EACH_BLOCK(block[i] = tatu_internal_speck128_load(input + 16 * i));
    for (; rounds > 0; rounds--) {
        const uint64_t key = tatu_internal_load64_le(round_keys + 8 * (rounds - 1));
        EACH_BLOCK(block[i].y ^= block[i].x);
        EACH_BLOCK(block[i].x ^= key);
        EACH_BLOCK(block[i].y = tatu_internal_speck128_rotate_right(block[i].y, 3));
        EACH_BLOCK(block[i].x = tatu_internal_speck128_rotate_left(block[i].x - block[i].y, 8));
    }
    EACH_BLOCK(tatu_internal_speck128_store(output + 16 * i, &block[i]));
}

#endif

void tatu_internal_speck128_encrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output,
                                           const uint8_t *input, size_t blocks)
{
#if defined(AT_ONCE)
    for (; blocks >= AT_ONCE; blocks -= AT_ONCE, input += 16 * AT_ONCE, output += 16 * AT_ONCE) {
        encrypt_at_once(round_keys, rounds, output, input);
    }
#endif
    for (; blocks > 0; blocks--, input += 16, output += 16) {
        tatu_internal_speck128_encrypt(round_keys, rounds, output, input);
    }
}

void tatu_internal_speck128_decrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output,
                                           const uint8_t *input, size_t blocks)
{
#if defined(AT_ONCE)
    for (; blocks >= AT_ONCE; blocks -= AT_ONCE, input += 16 * AT_ONCE, output += 16 * AT_ONCE) {
        decrypt_at_once(round_keys, rounds, output, input);
    }
#endif
    for (; blocks > 0; blocks--, input += 16, output += 16) {
        tatu_internal_speck128_decrypt(round_keys, rounds, output, input);
    }
}

#else
typedef int tatu_internal_speck128_blocks_is_not_for_avr;
#endif
