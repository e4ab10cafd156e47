/* Which file has SHA-256's compression function: one of those in assembly, or sha256_compress.c. */
#ifndef TATU_SHA256_ASSEMBLY_H
#define TATU_SHA256_ASSEMBLY_H

#if !defined(TATU_PORTABLE)
#if defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_SPH__)
#define TATU_INTERNAL_SHA256_AVR
#elif defined(__ELF__) && defined(__arm__) && defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_BIG_ENDIAN)
#if defined(__ARM_NEON)
#define TATU_INTERNAL_SHA256_NEON
#elif __ARM_ARCH_ISA_THUMB == 2 && defined(__ARM_FEATURE_UNALIGNED)
#define TATU_INTERNAL_SHA256_THUMB2
#elif __ARM_ARCH_ISA_THUMB == 1 && __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_SHA256_THUMB1
#endif
#elif defined(__aarch64__) && !defined(__AARCH64EB__) && defined(__ELF__)
#define TATU_INTERNAL_SHA256_AARCH64
#endif
#endif

#if defined(TATU_INTERNAL_SHA256_AVR) || defined(TATU_INTERNAL_SHA256_THUMB2) || defined(TATU_INTERNAL_SHA256_THUMB1) || \
    defined(TATU_INTERNAL_SHA256_NEON) || defined(TATU_INTERNAL_SHA256_AARCH64)
#define TATU_INTERNAL_SHA256_ASSEMBLY
#endif

#endif
