/* The inverse modulo n, the order of secp256k1's base point, on AVR. Elsewhere: secp256k1_inverse.c. */
#include "secp256k1_curve.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_AVR)

#include "../common/flash.h"

/* n - 2 = (2^127 - 1) 2^129 + this */
static const uint8_t rest[16] TATU_INTERNAL_IN_FLASH = {0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b,
                                                        0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x3f};

#include "../weierstrass/order_invert.inc"

static void start_power(tatu_internal_curve_number power, const tatu_internal_curve_number base)
{
    tatu_internal_curve_number ones;

    memcpy(power, base, sizeof ones);
    /* the power of 2^k - 1 makes the one of 2^(2 k + 1) - 1 */
    for (uint8_t length = 1; length < 127; length = (uint8_t)(2 * length + 1)) {
        memcpy(ones, power, sizeof ones);
        square_times(power, length);
        MULTIPLY(power, power, ones);
        MULTIPLY(power, power, power);
        MULTIPLY(power, power, base);
    }
    MULTIPLY(power, power, power);
    tatu_wipe(ones, sizeof ones);
}

#else
typedef int tatu_internal_secp256k1_order_is_elsewhere;
#endif
