/* The public operation of RSA, by Montgomery multiplication (P. L. Montgomery, "Modular multiplication without trial
 * division", 1985). R is 2^32 to the number of limbs. */
#include "../rsa_internal.h"

#if !defined(TATU_INTERNAL_RSA_IN_NEON)

/* R * R = R * 2^(32 * limbs) is made from R * 2^limbs, squared so often. */
#define SQUARINGS_TO_R_SQUARED 5

static void load(uint32_t *number, uint8_t limbs, const uint8_t *bytes)
{
    for (uint8_t i = limbs; i > 0; i--) {
        number[i - 1] =
            (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3];
        bytes += 4;
    }
}

/* The limbs as bytes, in their own place, big-endian. */
static void store_in_place(uint32_t *number, uint8_t limbs)
{
    uint8_t *bytes = (uint8_t *)number;

    for (uint8_t i = 0; i < limbs / 2; i++) {
        uint32_t low = number[i], high = number[limbs - 1 - i];
        for (uint8_t j = 0; j < 4; j++) {
            bytes[4 * (size_t)i + j] = (uint8_t)(high >> (24 - 8 * j));
            bytes[4 * (size_t)(limbs - 1 - i) + j] = (uint8_t)(low >> (24 - 8 * j));
        }
    }
}

/* number -= modulus; the borrow. */
static uint32_t subtract(uint32_t *number, const uint32_t *modulus, uint8_t limbs)
{
    uint32_t borrow = 0;

    for (uint8_t i = 0; i < limbs; i++) {
        uint64_t difference = (uint64_t)number[i] - modulus[i] - borrow;
        number[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 32) & 1;
    }
    return borrow;
}

static int is_below(const uint32_t *number, const uint32_t *modulus, uint8_t limbs)
{
    for (uint8_t i = limbs; i > 0; i--) {
        if (number[i - 1] != modulus[i - 1]) {
            return number[i - 1] < modulus[i - 1];
        }
    }
    return 0;
}

/* number with `carry` above it is less than twice the modulus; then below it. */
static void reduce(uint32_t *number, uint32_t carry, const uint32_t *modulus, uint8_t limbs)
{
    if (carry != 0 || !is_below(number, modulus, limbs)) {
        (void)subtract(number, modulus, limbs);
    }
}

static void double_number(uint32_t *number, const uint32_t *modulus, uint8_t limbs)
{
    uint32_t carry = 0;

    for (uint8_t i = 0; i < limbs; i++) {
        uint32_t limb = number[i];
        number[i] = limb << 1 | carry;
        carry = limb >> 31;
    }
    reduce(number, carry, modulus, limbs);
}

/* -1 / limb mod 2^32, of an odd limb: each step doubles the bits that are right. */
static uint32_t negative_inverse(uint32_t limb)
{
    uint32_t inverse = limb; /* right in 3 bits */

    for (uint8_t i = 0; i < 4; i++) {
        inverse *= 2 - limb * inverse;
    }
    return 0 - inverse;
}

/* product = a * b / R mod modulus, for a and b below the modulus. `product` is neither a nor b. */
static void multiply(uint32_t *product, const uint32_t *a, const uint32_t *b, const uint32_t *modulus, uint32_t inverse,
                     uint8_t limbs)
{
    uint8_t above = 0; /* the bit above the product */

    for (uint8_t i = 0; i < limbs; i++) {
        product[i] = 0;
    }
    for (uint8_t i = 0; i < limbs; i++) {
        uint32_t factors[2];
        factors[0] = a[i];
        factors[1] = (product[0] + a[i] * b[0]) * inverse; /* makes the lowest limb zero */
        above = tatu_internal_rsa_add_products(product, b, modulus, factors, limbs, above);
    }
    reduce(product, above, modulus, limbs);
}

int tatu_internal_rsa_power(uint32_t *work, uint8_t limbs, const uint8_t *modulus_bytes, uint32_t exponent,
                            const uint8_t *signature)
{
    uint32_t *power = work, *other = work + limbs, *modulus = work + 2 * limbs, *base = work + 3 * limbs, *swapped;
    uint32_t inverse, bit = UINT32_C(1) << 31;

    load(modulus, limbs, modulus_bytes);
    load(base, limbs, signature);
    if (modulus[limbs - 1] >> 31 == 0 || (modulus[0] & 1) == 0 || (exponent & 1) == 0 || exponent < 3 ||
        !is_below(base, modulus, limbs)) {
        return TATU_ERR_AUTHENTICATION;
    }
    inverse = negative_inverse(modulus[0]);

    /* R mod modulus is R - modulus, because the modulus has all bits. */
    for (uint8_t i = 0; i < limbs; i++) {
        power[i] = 0;
    }
    (void)subtract(power, modulus, limbs);
    for (uint8_t i = 0; i < limbs; i++) {
        double_number(power, modulus, limbs);
    }
    for (uint8_t i = 0; i < SQUARINGS_TO_R_SQUARED; i++) {
        multiply(other, power, power, modulus, inverse, limbs);
        swapped = power;
        power = other;
        other = swapped;
    }
    multiply(other, power, base, modulus, inverse, limbs); /* the signature times R */
    for (uint8_t i = 0; i < limbs; i++) {
        power[i] = base[i] = other[i];
    }
    while ((exponent & bit) == 0) {
        bit >>= 1;
    }
    for (bit >>= 1; bit > 0; bit >>= 1) {
        multiply(other, power, power, modulus, inverse, limbs);
        swapped = power;
        power = other;
        other = swapped;
        if ((exponent & bit) != 0) {
            if (bit == 1) { /* the last one: without the factor R, which then falls out */
                load(base, limbs, signature);
            }
            multiply(other, power, base, modulus, inverse, limbs);
            swapped = power;
            power = other;
            other = swapped;
        }
    }
    for (uint8_t i = 0; i < limbs; i++) {
        work[i] = power[i];
    }
    store_in_place(work, limbs);
    return TATU_OK;
}

#else
typedef int tatu_internal_rsa_power_is_in_neon;
#endif
