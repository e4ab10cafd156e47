#include "../rsa_internal.h"

#if defined(TATU_INTERNAL_RSA_IN_PORTABLE)

uint8_t tatu_internal_rsa_add_products(uint32_t *product, const uint32_t *b, const uint32_t *modulus,
                                       const uint32_t factors[2], uint8_t limbs, uint8_t above)
{
    uint32_t factor = factors[0], quotient = factors[1];
    uint64_t sum = (uint64_t)factor * b[0] + product[0];
    uint64_t reduced = (uint64_t)quotient * modulus[0] + (uint32_t)sum;

    for (uint8_t j = 1; j < limbs; j++) {
        sum = (uint64_t)factor * b[j] + product[j] + (uint32_t)(sum >> 32);
        reduced = (uint64_t)quotient * modulus[j] + (uint32_t)sum + (uint32_t)(reduced >> 32);
        product[j - 1] = (uint32_t)reduced;
    }
    sum = (sum >> 32) + (reduced >> 32) + above;
    product[limbs - 1] = (uint32_t)sum;
    return (uint8_t)(sum >> 32);
}

#else
typedef int tatu_internal_rsa_add_products_is_in_assembly;
#endif
