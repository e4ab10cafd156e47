/* The endomorphism of secp256k1: (x, y) becomes (beta x, y), which is lambda times the point, as beta^3 = 1 modulo p
 * and lambda^3 = 1 modulo n (R. Gallant, R. Lambert, S. Vanstone, "Faster Point Multiplication on Elliptic Curves with
 * Efficient Endomorphisms", CRYPTO 2001). A factor k is k1 + k2 lambda, with k1 and k2 below 2^128 but for their signs.
 * Nothing here is secret. */
#include "secp256k1_curve.h"

#include <string.h>

#include "../common/flash.h"
#include "../weierstrass/programs.h"

/* Two short vectors have a + b lambda = 0 modulo n: (a1, b1) and (a2, b2) with b2 = a1. These are b2 and -b1, times
 * 2^384 and divided by n, rounded; lowest byte first. */
static const uint8_t quotients[2][32] TATU_INTERNAL_IN_FLASH = {
    {0x31, 0xb0, 0xdb, 0x45, 0x9a, 0x20, 0x93, 0xe8, 0x7f, 0xca, 0xe8, 0x71, 0x14, 0x8a, 0xaa, 0x3d,
     0x15, 0xeb, 0x84, 0x92, 0xe4, 0x90, 0x6c, 0xe8, 0xcd, 0x6b, 0xd4, 0xa7, 0x21, 0xd2, 0x86, 0x30},
    {0x71, 0x7f, 0xc4, 0x8a, 0xae, 0xb4, 0x71, 0x15, 0xc6, 0x06, 0xf5, 0x9d, 0xac, 0x08, 0x12, 0x22,
     0xc4, 0xe4, 0xbf, 0x0a, 0xa9, 0x7f, 0x54, 0x6f, 0x28, 0x88, 0x0e, 0x01, 0xd6, 0x7e, 0x43, 0xe4},
};

/* -b1, -b2 and -lambda, times 2^256 modulo n */
static const uint32_t factors[3][8] TATU_INTERNAL_IN_FLASH = {
    {0x0ad9263c, 0xc50468d0, 0xfaa6ed42, 0x1b1c8205, 0x8ac47f71, 0x1571b4ae, 0x9df506c6, 0x221208ac},
    {0x6a144696, 0x0cac5e50, 0xf3ba5939, 0x1e8a8dc5, 0xba244fce, 0x176cdf65, 0x8e173580, 0xc25575eb},
    {0x06a3d4a3, 0xcf54734f, 0x2b820bee, 0x8e1af539, 0xad96826d, 0x8c5699f9, 0x7aa729c6, 0xacd7bfe8},
};

static const uint32_t beta[8] TATU_INTERNAL_IN_FLASH = {0x719501ee, 0xc1396c28, 0x12f58995, 0x9cf04975,
                                                        0xac3434e9, 0x6e64479e, 0x657c0710, 0x7ae96a2b};

/* The number times quotient `which`, divided by 2^384 and rounded. */
static void multiply_quotient(tatu_internal_curve_number result, const uint8_t bytes[32], uint8_t which)
{
    uint8_t product[64] = {0};
    uint8_t quotient[32] = {0};
    uint8_t carry;

    for (uint8_t i = 0; i < 32; i++) {
        carry = 0;
        for (uint8_t j = 0; j < 32; j++) {
            const uint16_t factor = TATU_INTERNAL_READ_FLASH_BYTE(&quotients[which][j]);
            const uint16_t sum = (uint16_t)(factor * bytes[31 - i] + product[i + j] + carry);

            product[i + j] = (uint8_t)sum;
            carry = (uint8_t)(sum >> 8);
        }
        product[i + 32] = carry;
    }
    /* the bit below decides */
    carry = product[47] >> 7;
    for (uint8_t i = 0; i < 16; i++) {
        const uint16_t sum = (uint16_t)((uint16_t)product[48 + i] + carry);

        quotient[31 - i] = (uint8_t)sum;
        carry = (uint8_t)(sum >> 8);
    }
    CURVE(load)(result, quotient);
}

/* result = number factors[which] modulo n */
static void multiply_factor(tatu_internal_curve_number result, const tatu_internal_curve_number number, uint8_t which)
{
    tatu_internal_curve_number factor;

    CURVE(load_words)(factor, factors[which]);
    CURVE(order_multiply)(result, number, factor);
}

/* A number modulo n that is near 0 or near n. */
static void take_part(struct tatu_internal_curve_factor *part, tatu_internal_curve_number number)
{
    CURVE(store)(part->bytes, number);
    part->is_negative = part->bytes[0] != 0;
    if (part->is_negative) {
        CURVE(subtract_from)(TATU_INTERNAL_CURVE_ORDER, number);
        CURVE(store)(part->bytes, number);
    }
}

void CURVE(split)(struct tatu_internal_curve_factor *parts, const tatu_internal_curve_number factor)
{
    tatu_internal_curve_number first, second, product;
    uint8_t bytes[32];

    CURVE(store)(bytes, factor);
    multiply_quotient(first, bytes, 0);
    multiply_factor(second, first, 0);
    multiply_quotient(first, bytes, 1);
    multiply_factor(product, first, 1);
    CURVE(order_add)(second, product);
    multiply_factor(first, second, 2);
    CURVE(order_add)(first, factor);
    take_part(&parts[0], first);
    take_part(&parts[1], second);
}

static const uint8_t multiply_x[] TATU_INTERNAL_IN_FLASH = {MULTIPLY(X2, X2, T0), END};

void CURVE(apply_endomorphism)(struct tatu_internal_curve_state *state)
{
    CURVE(load_words)(state->number[T0], beta);
    CURVE(run)(state, multiply_x);
}
