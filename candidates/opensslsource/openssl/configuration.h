/* What OpenSSL's Configure writes for a machine, as far as its portable AES asks. */
#ifndef BANCADA_OPENSSL_CONFIGURATION_H
#define BANCADA_OPENSSL_CONFIGURATION_H

#define OPENSSL_CONFIGURED_API 30000

/* avr-libc has no type of POSIX's of this name; the AES does not use it. */
#if defined(__AVR__)
typedef int ssize_t;
#endif

#if __SIZEOF_INT__ < 4
#define AES_LONG
#endif

#endif
