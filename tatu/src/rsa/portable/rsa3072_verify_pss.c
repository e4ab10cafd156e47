#include "../rsa_internal.h"

#define LIMBS (TATU_RSA3072_BYTES / 4)

int tatu_rsa3072_verify_pss(const uint8_t modulus[384], uint32_t exponent, const uint8_t signature[384],
                            const uint8_t digest[32])
{
    uint32_t work[TATU_INTERNAL_RSA_NUMBERS * LIMBS];
    int result = tatu_internal_rsa_power(work, LIMBS, modulus, exponent, signature);

    return result == TATU_OK ? tatu_internal_rsa_check_pss((uint8_t *)work, TATU_RSA3072_BYTES, digest) : result;
}
