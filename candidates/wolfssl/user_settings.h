/* One algorithm of wolfCrypt, on a bare AVR, with the settings that its settings.h makes for an Arduino with an AVR. AES,
 * unless a row of candidate.toml switches that off and another algorithm on. */
#ifndef BANCADA_WOLFSSL_USER_SETTINGS_H
#define BANCADA_WOLFSSL_USER_SETTINGS_H

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WOLFSSL_DIR
#define NO_ERROR_STRINGS
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define WOLFSSL_USER_IO
#define WOLFSSL_NO_SOCK
#define NO_ASN
#define NO_ASN_TIME
#define NO_CERTS
#define NO_RSA
#define NO_DSA
#define NO_DH
#define NO_DES3
#define NO_MD4
#define NO_MD5
#define NO_SHA
#if !defined(USE_SLOW_SHA256)
#define NO_SHA256
#endif
#define NO_HMAC
#define NO_PWDBASED
#define NO_OLD_TLS
#define NO_BIG_INT
#define WC_NO_RNG
#define WC_NO_HASHDRBG

#if !defined(NO_AES)
#define WOLFSSL_AES_DIRECT
#if !defined(NO_AES_DECRYPT)
#define HAVE_AES_DECRYPT
#endif
#if !defined(NO_AES_CBC)
#define HAVE_AES_CBC
#endif
#endif

#if defined(__AVR__)
/* "Boards less than 32 bit int" and "to support storing some of the large constant tables in flash memory rather than SRAM". */
#include <avr/pgmspace.h>
#define WC_16BIT_CPU
#define WOLFSSL_USE_FLASHMEM
#endif

#endif
