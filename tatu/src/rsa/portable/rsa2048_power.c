#include "../rsa_internal.h"

#if defined(TATU_INTERNAL_RSA_IN_PORTABLE) || defined(TATU_INTERNAL_RSA_IN_NEON)

int tatu_internal_rsa2048_power(uint32_t *work, const uint8_t *modulus, uint32_t exponent, const uint8_t *signature)
{
    return tatu_internal_rsa_power(work, TATU_RSA2048_BYTES / 4, modulus, exponent, signature);
}

#else
typedef int tatu_internal_rsa2048_power_is_in_avr;
#endif
