/* Products modulo n of P-256 around those of the assembly (p256_field_avr.S): P. Montgomery, "Modular Multiplication
 * Without Trial Division" (1985), with one quotient of 256 bits. The portable twin: ../portable/p256_words.c. */
#include "../p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)

#include <string.h>

#include <tatu/wipe.h>

/* The first 64 bytes of `products` = a b. The rest is lost. */
void tatu_internal_p256_product_avr(uint8_t products[112], const uint8_t a[32], const uint8_t b[32]);

void tatu_internal_p256_order_multiply(uint8_t result[32], const uint8_t a[32], const uint8_t b[32])
{
    uint8_t products[112], product[64], constant[32];
    uint8_t carry = 0;

    tatu_internal_p256_product_avr(products, a, b);
    memcpy(product, products, sizeof product);
    tatu_internal_p256_load_constant(constant, TATU_INTERNAL_CURVE_ORDER_INVERSE);
    tatu_internal_p256_product_avr(products, product, constant);
    memcpy(result, products, 32); /* the quotient */
    tatu_internal_p256_load_constant(constant, TATU_INTERNAL_CURVE_ORDER);
    tatu_internal_p256_product_avr(products, result, constant);
    for (uint8_t i = 0; i < 64; i++) {
        const uint16_t sum = (uint16_t)((uint16_t)product[i] + products[i] + carry);

        product[i] = (uint8_t)sum;
        carry = (uint8_t)(sum >> 8);
    }
    memcpy(result, product + 32, 32);
    tatu_internal_p256_reduce_order(result, carry);
    tatu_wipe(products, sizeof products);
    tatu_wipe(product, sizeof product);
}

#else
typedef int tatu_internal_p256_avr_is_in_c;
#endif
