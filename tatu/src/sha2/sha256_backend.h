/* Which back end serves SHA-256 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_SHA256_BACKEND_H
#define TATU_SHA256_BACKEND_H

/* The compression function. The Thumb-2 code reads words of the message at any address. */
#if defined(TATU_PORTABLE)
#define TATU_INTERNAL_SHA256_IN_PORTABLE
#elif defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_SPH__)
#define TATU_INTERNAL_SHA256_IN_AVR
#elif defined(__aarch64__) && !defined(__AARCH64EB__) && defined(__ELF__)
#define TATU_INTERNAL_SHA256_IN_AARCH64
#elif defined(__ELF__) && defined(__arm__) && defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_BIG_ENDIAN)
#if defined(__ARM_NEON)
#define TATU_INTERNAL_SHA256_IN_NEON
#elif __ARM_ARCH_ISA_THUMB == 2 && defined(__ARM_FEATURE_UNALIGNED)
#define TATU_INTERNAL_SHA256_IN_THUMB2
#elif __ARM_ARCH_ISA_THUMB == 1 && __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_SHA256_IN_THUMB1
#else
#define TATU_INTERNAL_SHA256_IN_PORTABLE
#endif
#else
#define TATU_INTERNAL_SHA256_IN_PORTABLE
#endif

/* The compression function of the small variant. The assembly rotates words with MUL. */
#if !defined(TATU_PORTABLE) && defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_SPH__) && \
    defined(__AVR_HAVE_MUL__)
#define TATU_INTERNAL_SHA256_SMALL_IN_AVR
#else
#define TATU_INTERNAL_SHA256_SMALL_IN_PORTABLE
#endif

#endif
