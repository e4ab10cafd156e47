/* Mbed TLS as its config.h recommends it for devices with little memory. What is not AES is switched on by the rows of
 * candidate.toml that compile it. */
#ifndef MBEDTLS_CONFIG_FOR_MCU_H
#define MBEDTLS_CONFIG_FOR_MCU_H

#define MBEDTLS_AES_C
#if !defined(MBEDTLS_CIPHER_C)
#define MBEDTLS_CIPHER_MODE_CBC
#endif
/* "Store the AES tables in ROM." */
#define MBEDTLS_AES_ROM_TABLES
/* "Use less ROM/RAM for AES tables." */
#define MBEDTLS_AES_FEWER_TABLES
/* "An implementation of SHA-256 that has lower ROM footprint but also lower performance." */
#define MBEDTLS_SHA256_SMALLER
/* Signatures: as config.h has them, both curves that are measured, and no generator of the library's own for what is
 * not secret ("the library will not use an internal RNG"); signing gets the caller's. */
#if defined(MBEDTLS_BIGNUM_C)
#define MBEDTLS_HAVE_ASM
#define MBEDTLS_MD_C
#define MBEDTLS_OID_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_ECP_NO_INTERNAL_RNG
#endif
#if defined(MBEDTLS_RSA_C)
#define MBEDTLS_PKCS1_V15
#define MBEDTLS_PKCS1_V21
#endif
#if defined(MBEDTLS_ECDSA_C)
#define MBEDTLS_ECP_NIST_OPTIM
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#define MBEDTLS_ECP_DP_SECP256K1_ENABLED
#endif
#if defined(MBEDTLS_ECDH_C)
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
#endif
/* No clock on a bare microcontroller. */
#undef MBEDTLS_HAVE_TIME

#endif
