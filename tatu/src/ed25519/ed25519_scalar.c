/* Numbers modulo the order of the base point (ed25519_scalar.h). */
#include "ed25519_scalar.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"

/* With a byte more, for the highest one of a rest. */
static const uint8_t order[33] TATU_INTERNAL_IN_FLASH = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10, 0};

#define ORDER(i) TATU_INTERNAL_READ_FLASH_BYTE(&order[i])

void tatu_internal_ed25519_reduce(uint8_t result[32], const uint8_t number[64])
{
    uint8_t rest[33];

    /* One byte after the other from the highest down: rest = 256 rest + byte - quotient L. The quotient by 2^252 is at
     * most the one by L plus one, so that L is added again if the rest is negative. */
    memset(rest, 0, sizeof rest);
    for (uint8_t i = 64; i > 0; i--) {
        uint16_t quotient, mask, sum = 0, product = 0;
        uint8_t borrow = 0;

        memmove(rest + 1, rest, 32);
        rest[0] = number[i - 1];
        quotient = (uint16_t)(rest[32] << 4 | rest[31] >> 4);
        for (uint8_t j = 0; j < 33; j++) {
            const uint16_t times = (uint16_t)(quotient * ORDER(j) + product); /* at most 256 * 255 + 255 */
            const uint16_t difference = (uint16_t)(rest[j] - (uint8_t)times - borrow);

            product = times >> 8;
            rest[j] = (uint8_t)difference;
            borrow = (uint8_t)(difference >> 8 & 1);
        }
        mask = (uint16_t)(0 - borrow);
        for (uint8_t j = 0; j < 32; j++) {
            sum = (uint16_t)(sum + rest[j] + (mask & ORDER(j)));
            rest[j] = (uint8_t)sum;
            sum >>= 8;
        }
        rest[32] = 0;
    }
    memcpy(result, rest, 32);
    tatu_wipe(rest, sizeof rest);
}

void tatu_internal_ed25519_multiply_add(uint8_t result[32], const uint8_t a[32], const uint8_t b[32],
                                        const uint8_t c[32])
{
    uint8_t number[64];

    memcpy(number, c, 32);
    memset(number + 32, 0, 32);
    for (uint8_t i = 0; i < 32; i++) {
        uint16_t sum = 0;

        for (uint8_t j = 0; j < 32; j++) {
            sum = (uint16_t)((uint16_t)(a[i] * b[j]) + number[i + j] + sum);
            number[i + j] = (uint8_t)sum;
            sum >>= 8;
        }
        number[i + 32] = (uint8_t)sum;
    }
    tatu_internal_ed25519_reduce(result, number);
    tatu_wipe(number, sizeof number);
}

uint8_t tatu_internal_ed25519_is_reduced(const uint8_t number[32])
{
    uint8_t borrow = 0;

    for (uint8_t i = 0; i < 32; i++) {
        borrow = (uint8_t)((uint16_t)(number[i] - ORDER(i) - borrow) >> 8 & 1);
    }
    return borrow;
}
