#include "../rsa_internal.h"

int tatu_rsa2048_verify_pss(const uint8_t modulus[256], uint32_t exponent, const uint8_t signature[256],
                            const uint8_t digest[32])
{
    uint32_t work[TATU_INTERNAL_RSA2048_WORK_BYTES / 4];
    int result = tatu_internal_rsa2048_power(work, modulus, exponent, signature);

    return result == TATU_OK ? tatu_internal_rsa_check_pss((uint8_t *)work, TATU_RSA2048_BYTES, digest) : result;
}
