/* One algorithm of wolfCrypt, on a bare microcontroller; on an AVR with the settings that its settings.h makes for
 * an Arduino. AES, unless a row of candidate.toml switches that off and another algorithm on. */
#ifndef BANCADA_WOLFSSL_USER_SETTINGS_H
#define BANCADA_WOLFSSL_USER_SETTINGS_H

/* Big numbers: its newest (sp_int.c) or one of its older ones (tfm.c, integer.c), which a row chooses. */
#if defined(WOLFSSL_SP_MATH_ALL) || defined(USE_FAST_MATH) || defined(USE_INTEGER_HEAP_MATH)
#define BANCADA_BIG_NUMBERS
#endif

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
#if !defined(WC_RSA_BLINDING)
#define NO_RSA
#endif
#define NO_DSA
#define NO_DH
#define NO_DES3
#define NO_MD4
#define NO_MD5
#define NO_SHA
#if !defined(USE_SLOW_SHA256) && !defined(BANCADA_BIG_NUMBERS)
#define NO_SHA256
#endif
#define NO_HMAC
#define NO_PWDBASED
#define NO_OLD_TLS
#define WC_NO_HASHDRBG
#if !defined(BANCADA_BIG_NUMBERS)
#define NO_BIG_INT
#define WC_NO_RNG
#else
/* Signatures. Big numbers as its configure script chooses them: its own, with a little assembly, resistant to
 * timing. */
#define TFM_TIMING_RESISTANT
#define ECC_TIMING_RESISTANT
#define ECC_SHAMIR
#define ECC_USER_CURVES
int bancada_wolfssl_random(unsigned char *output, unsigned int length);
#define CUSTOM_RAND_GENERATE_BLOCK bancada_wolfssl_random
#if !defined(WOLFSSL_SP_MATH_ALL) || defined(BANCADA_WITHOUT_SP_ASSEMBLY)
/* In C, or with the assembly that tfm.c has (TFM_ARM). */
#elif defined(__aarch64__)
#define WOLFSSL_SP_ARM64
#elif defined(__ARM_ARCH) && __ARM_ARCH >= 7
#define WOLFSSL_SP_ARM32
#elif defined(__thumb__) &&                                                                             \
    defined(__OPTIMIZE__) /* uses r7, which is the frame pointer otherwise and beside dynamic arrays */
#define WOLFSSL_SP_ARM_THUMB
#define WOLFSSL_SP_NO_DYN_STACK
#endif
#endif

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
/* "Boards less than 32 bit int" and "to support storing some of the large constant tables in flash memory rather
 * than SRAM". */
#include <avr/pgmspace.h>
#define WC_16BIT_CPU
#define WOLFSSL_USE_FLASHMEM
#endif

#endif
