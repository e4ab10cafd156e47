/* 1/number modulo n, the order of P-256's base point, as number^(n - 2), which is the smallest way on AVR. Elsewhere:
 * p256_inverse.c. */
#include "p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"

#define MULTIPLY tatu_internal_p256_order_multiply

/* n - 2 = (2^32 - 1) (2^224 + 2^160 + 2^128) + this */
static const uint8_t rest[16] TATU_INTERNAL_IN_FLASH = {0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                                        0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x4f};

static void square_times(tatu_internal_curve_number number, uint8_t times)
{
    for (; times > 0; times--) {
        MULTIPLY(number, number, number);
    }
}

void tatu_internal_p256_order_invert(tatu_internal_curve_number result, const tatu_internal_curve_number number)
{
    tatu_internal_curve_number base, power, ones;

    tatu_internal_p256_load_constant(power, TATU_INTERNAL_CURVE_ORDER_SQUARED);
    MULTIPLY(base, number, power); /* to Montgomery's form */
    memcpy(ones, base, sizeof ones);
    for (uint8_t length = 1; length < 32; length = (uint8_t)(2 * length)) {
        memcpy(power, ones, sizeof power);
        square_times(power, length);
        MULTIPLY(ones, ones, power);
    }
    memcpy(power, ones, sizeof power);
    square_times(power, 64);
    MULTIPLY(power, power, ones);
    square_times(power, 32);
    MULTIPLY(power, power, ones);
    for (uint8_t i = 0; i < sizeof rest; i++) {
        const uint8_t byte = TATU_INTERNAL_READ_FLASH_BYTE(&rest[i]);

        for (uint8_t bit = 8; bit > 0; bit--) {
            MULTIPLY(power, power, power);
            if (byte >> (bit - 1) & 1) {
                MULTIPLY(power, power, base);
            }
        }
    }
    memset(base, 0, sizeof base);
    base[0] = 1;
    MULTIPLY(result, power, base);
    tatu_wipe(base, sizeof base);
    tatu_wipe(power, sizeof power);
    tatu_wipe(ones, sizeof ones);
}

#else
typedef int tatu_internal_p256_order_is_elsewhere;
#endif
