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
/* No clock on a bare microcontroller. */
#undef MBEDTLS_HAVE_TIME

#endif
