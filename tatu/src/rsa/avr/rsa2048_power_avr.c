/* The public operation of RSA with 2,048 bits for AVR: products of 64 bytes, and P. Barrett's division ("Implementing
 * the Rivest Shamir and Adleman public key encryption algorithm on a standard digital signal processor", 1986) by
 * digits of 64 bytes. Numbers are little-endian, but for the modulus and the signature, which stay where they are. */
#include "../rsa_internal.h"

#if defined(TATU_INTERNAL_RSA_IN_AVR)

#include <string.h>

#define BYTES TATU_RSA2048_BYTES
#define DIGIT_BYTES 64
#define DIGIT_EIGHTHS (DIGIT_BYTES / 8)
#define DIGITS (BYTES / DIGIT_BYTES)

/* Where things are in the memory that the caller lends. */
#define NUMBER 0
#define SQUARE (NUMBER + BYTES)
#define SCRATCH (SQUARE + 2 * BYTES)
#define SCRATCH_BYTES (BYTES - 8)
#define INVERSE (SCRATCH + SCRATCH_BYTES) /* 2^2560 / modulus, less 2^512 */
#define WORK_BYTES (INVERSE + DIGIT_BYTES)
/* Beside a product: a digit of the quotient, and one of the modulus or of the signature. */
#define QUOTIENT (INVERSE - 2 * DIGIT_BYTES)
#define BLOCK (INVERSE - DIGIT_BYTES)

typedef char work_has_the_declared_size[WORK_BYTES == TATU_INTERNAL_RSA2048_WORK_BYTES ? 1 : -1];

static void load(uint8_t *number, const uint8_t *bytes, uint16_t length)
{
    number += length;
    while (length-- > 0) {
        *--number = *bytes++;
    }
}

/* Whether number, of 256 bytes, is less than the modulus. */
static uint8_t is_below(const uint8_t *number, const uint8_t *modulus)
{
    const uint8_t *digit = number + BYTES;

    while (digit > number) {
        uint8_t own = *--digit, other = *modulus++;
        if (own != other) {
            return own < other;
        }
    }
    return 0;
}

/* number, of 257 bytes, modulo the modulus; the quotient, which is small. */
static uint8_t reduce_once_more(uint8_t *number, const uint8_t *modulus)
{
    uint8_t quotient = 0;

    while (number[BYTES] != 0 || !is_below(number, modulus)) {
        tatu_internal_rsa_subtract_multiple(number, modulus + BYTES, 1);
        quotient++;
    }
    return quotient;
}

/* inverse, by long division: a byte of the quotient at a time. */
static void invert(uint8_t *work, const uint8_t *modulus)
{
    uint8_t *window = work + SQUARE + DIGIT_BYTES;
    uint16_t divisor = (uint16_t)((uint16_t)(modulus[0] << 8 | modulus[1]) + 1);

    /* 2^2048 is once the modulus, and this is left. */
    memset(work + SQUARE, 0, DIGIT_BYTES + BYTES + 1);
    window[BYTES] = 1;
    tatu_internal_rsa_subtract_multiple(window, modulus + BYTES, 1);
    for (uint8_t i = DIGIT_BYTES; i > 0; i--) {
        uint32_t top;
        uint16_t quotient;

        window--;
        top = (uint32_t)window[BYTES] << 16 | (uint32_t)window[BYTES - 1] << 8 | window[BYTES - 2];
        /* Never too large, and less than 256: what is left is less than the modulus. */
        quotient = divisor == 0 ? (uint16_t)(top >> 16) : (uint16_t)(top / divisor);
        tatu_internal_rsa_subtract_multiple(window, modulus + BYTES, (uint8_t)quotient);
        work[INVERSE + i - 1] = (uint8_t)(quotient + reduce_once_more(window, modulus));
    }
}

static void add_on(uint8_t *byte, uint8_t addend)
{
    while (addend != 0) {
        *byte = (uint8_t)(*byte + addend);
        addend = *byte++ < addend;
    }
}

static void borrow_on(uint8_t *byte, uint8_t borrow)
{
    while (borrow != 0) {
        borrow = (*byte++)-- == 0;
    }
}

/* number, of 320 bytes and less than 2^512 times the modulus, modulo the modulus: 256 bytes, and zeros. */
static void reduce(uint8_t *work, uint8_t *number, uint8_t *product, const uint8_t *modulus)
{
    uint8_t *quotient = work + QUOTIENT, *block = work + BLOCK, *top = number + BYTES;
    uint8_t next = number[BYTES - 1];
    uint16_t below;

    /* The quotient is top * (2^512 + inverse) / 2^512. With the byte below the top it is hardly ever too small, and
     * never too large. */
    tatu_internal_rsa_multiply_64(product, top, work + INVERSE);
    memcpy(quotient, top, DIGIT_BYTES);
    below = (uint16_t)((uint16_t)next * work[INVERSE + DIGIT_BYTES - 1]) >> 8;
    below = (uint16_t)(below + next + product[DIGIT_BYTES - 1]) >> 8;
    (void)tatu_internal_rsa_add(quotient, product + DIGIT_BYTES, DIGIT_EIGHTHS);
    add_on(quotient, (uint8_t)below);
    for (uint8_t i = 0; i < DIGITS; i++) {
        uint8_t *lowest = number + i * DIGIT_BYTES;
        load(block, modulus + (DIGITS - 1 - i) * DIGIT_BYTES, DIGIT_BYTES);
        tatu_internal_rsa_multiply_64(product, quotient, block);
        borrow_on(lowest + 2 * DIGIT_BYTES, tatu_internal_rsa_subtract(lowest, product, 2 * DIGIT_EIGHTHS));
    }
    (void)reduce_once_more(number, modulus);
}

/* number = number^2 mod modulus */
static void square(uint8_t *work, const uint8_t *modulus)
{
    tatu_internal_rsa_square_256(work + SQUARE, work + NUMBER, work + SCRATCH);
    for (uint8_t i = DIGITS; i > 0; i--) {
        reduce(work, work + SQUARE + (i - 1) * DIGIT_BYTES, work + NUMBER, modulus);
    }
    memcpy(work + NUMBER, work + SQUARE, BYTES);
}

/* number = number * signature mod modulus, a digit of the signature after the other. */
static void multiply(uint8_t *work, const uint8_t *modulus, const uint8_t *signature)
{
    uint8_t *sum = work + SQUARE, *product = work + SQUARE + BYTES + DIGIT_BYTES + 8;

    memset(sum, 0, BYTES + DIGIT_BYTES + 1);
    for (uint8_t i = 0; i < DIGITS; i++) {
        memmove(sum + DIGIT_BYTES, sum, BYTES);
        memset(sum, 0, DIGIT_BYTES);
        load(work + BLOCK, signature, DIGIT_BYTES);
        signature += DIGIT_BYTES;
        for (uint8_t j = 0; j < DIGITS; j++) {
            uint8_t *lowest = sum + j * DIGIT_BYTES;
            tatu_internal_rsa_multiply_64(product, work + NUMBER + j * DIGIT_BYTES, work + BLOCK);
            add_on(lowest + 2 * DIGIT_BYTES, tatu_internal_rsa_add(lowest, product, 2 * DIGIT_EIGHTHS));
        }
        /* Now the quotient has 512 bits. */
        (void)reduce_once_more(sum + DIGIT_BYTES, modulus);
        reduce(work, sum, product, modulus);
    }
    memcpy(work + NUMBER, sum, BYTES);
}

int tatu_internal_rsa2048_power(uint32_t *words, const uint8_t *modulus, uint32_t exponent, const uint8_t *signature)
{
    uint8_t *work = (uint8_t *)words;
    uint32_t bit = UINT32_C(1) << 31;

    load(work + NUMBER, signature, BYTES);
    if (modulus[0] >> 7 == 0 || (modulus[BYTES - 1] & 1) == 0 || (exponent & 1) == 0 || exponent < 3 ||
        !is_below(work + NUMBER, modulus)) {
        return TATU_ERR_AUTHENTICATION;
    }
    invert(work, modulus);
    while ((exponent & bit) == 0) {
        bit >>= 1;
    }
    for (bit >>= 1; bit > 0; bit >>= 1) {
        square(work, modulus);
        if ((exponent & bit) != 0) {
            multiply(work, modulus, signature);
        }
    }
    load(work + SQUARE, work + NUMBER, BYTES);
    memcpy(work, work + SQUARE, BYTES);
    return TATU_OK;
}

#else
typedef int tatu_internal_rsa2048_power_is_in_another_file;
#endif
