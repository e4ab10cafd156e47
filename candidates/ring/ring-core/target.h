/* ring's own header of this name knows no microcontroller of 8 bits; its AES asks only for the width of a word. */
#ifndef OPENSSL_HEADER_TARGET_H
#define OPENSSL_HEADER_TARGET_H

#if defined(__aarch64__) || defined(__x86_64__)
#define OPENSSL_64_BIT
#else
#define OPENSSL_32_BIT
#endif
#define OPENSSL_SMALL

#endif
