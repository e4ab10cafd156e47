/* 1/number modulo n, the order of secp256k1's base point, as number^(n - 2), which is the smallest way on AVR.
 * Elsewhere: secp256k1_inverse.c. */
#include "secp256k1_curve.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_AVR)

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"

#define MULTIPLY tatu_internal_secp256k1_order_multiply

/* n - 2 = (2^127 - 1) 2^129 + this */
static const uint8_t rest[16] TATU_INTERNAL_IN_FLASH = {0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b,
                                                        0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x3f};

void tatu_internal_secp256k1_order_invert(tatu_internal_curve_number result, const tatu_internal_curve_number number)
{
    tatu_internal_curve_number base, power, ones;

    tatu_internal_secp256k1_load_constant(power, TATU_INTERNAL_CURVE_ORDER_SQUARED);
    MULTIPLY(base, number, power); /* to Montgomery's form */
    memcpy(power, base, sizeof power);
    /* the power of 2^k - 1 makes the one of 2^(2 k + 1) - 1 */
    for (uint8_t length = 1; length < 127; length = (uint8_t)(2 * length + 1)) {
        memcpy(ones, power, sizeof ones);
        for (uint8_t i = 0; i < length; i++) {
            MULTIPLY(power, power, power);
        }
        MULTIPLY(power, power, ones);
        MULTIPLY(power, power, power);
        MULTIPLY(power, power, base);
    }
    MULTIPLY(power, power, power);
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
typedef int tatu_internal_secp256k1_order_is_elsewhere;
#endif
