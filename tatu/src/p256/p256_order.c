/* The inverse modulo n, the order of P-256's base point, on AVR. Elsewhere: p256_inverse.c. */
#include "p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)

#include "../common/flash.h"

/* n - 2 = (2^32 - 1) (2^224 + 2^160 + 2^128) + this */
static const uint8_t rest[16] TATU_INTERNAL_IN_FLASH = {0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                                        0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x4f};

#include "../weierstrass/order_invert.inc"

static void start_power(tatu_internal_curve_number power, const tatu_internal_curve_number base)
{
    tatu_internal_curve_number ones;

    memcpy(ones, base, sizeof ones);
    for (uint8_t length = 1; length < 32; length = (uint8_t)(2 * length)) {
        memcpy(power, ones, sizeof ones);
        square_times(power, length);
        MULTIPLY(ones, ones, power);
    }
    memcpy(power, ones, sizeof ones);
    square_times(power, 64);
    MULTIPLY(power, power, ones);
    square_times(power, 32);
    MULTIPLY(power, power, ones);
    tatu_wipe(ones, sizeof ones);
}

#else
typedef int tatu_internal_p256_order_is_elsewhere;
#endif
