/* Mbed TLS as its config.h recommends it for devices with little memory, and nothing but AES. */
#ifndef MBEDTLS_CONFIG_FOR_MCU_H
#define MBEDTLS_CONFIG_FOR_MCU_H

#define MBEDTLS_AES_C
#define MBEDTLS_CIPHER_MODE_CBC
/* "Store the AES tables in ROM." */
#define MBEDTLS_AES_ROM_TABLES
/* "Use less ROM/RAM for AES tables." */
#define MBEDTLS_AES_FEWER_TABLES
/* No clock on a bare microcontroller. */
#undef MBEDTLS_HAVE_TIME

#endif
