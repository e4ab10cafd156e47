/* Which file has SHA-256's compression function: one of those in assembly, or sha256_compress.c. */
#ifndef TATU_SHA256_ASSEMBLY_H
#define TATU_SHA256_ASSEMBLY_H

#if !defined(TATU_PORTABLE)
#if defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_SPH__)
#define TATU_INTERNAL_SHA256_AVR
#elif defined(__arm__) && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2 && defined(__ARM_FEATURE_UNALIGNED) && \
    !defined(__ARM_BIG_ENDIAN)
#define TATU_INTERNAL_SHA256_THUMB2
#endif
#endif

#if defined(TATU_INTERNAL_SHA256_AVR) || defined(TATU_INTERNAL_SHA256_THUMB2)
#define TATU_INTERNAL_SHA256_ASSEMBLY
#endif

#endif
