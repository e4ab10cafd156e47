/* Which file has Keccak-f[1600]: one of those in assembly, or keccak_permute.c; and how it keeps the state's lanes. */
#ifndef TATU_KECCAK_ASSEMBLY_H
#define TATU_KECCAK_ASSEMBLY_H

#if !defined(TATU_PORTABLE)
#if defined(__AVR__) && defined(__AVR_HAVE_MUL__)
#define TATU_INTERNAL_KECCAK_AVR
#elif defined(__ELF__) && defined(__arm__) && defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_BIG_ENDIAN)
#if defined(__ARM_NEON)
#define TATU_INTERNAL_KECCAK_NEON
#elif __ARM_ARCH_ISA_THUMB == 2
#define TATU_INTERNAL_KECCAK_THUMB2
#elif __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_KECCAK_THUMB1
#endif
#elif defined(__aarch64__) && !defined(__AARCH64EB__) && defined(__ELF__)
#define TATU_INTERNAL_KECCAK_AARCH64
#endif
#endif

#if defined(TATU_INTERNAL_KECCAK_AVR) || defined(TATU_INTERNAL_KECCAK_THUMB2) || defined(TATU_INTERNAL_KECCAK_THUMB1) || \
    defined(TATU_INTERNAL_KECCAK_NEON) || defined(TATU_INTERNAL_KECCAK_AARCH64)
#define TATU_INTERNAL_KECCAK_ASSEMBLY
#endif

/* Reads words of the input at any address. */
#if defined(TATU_INTERNAL_KECCAK_THUMB2) && defined(__ARM_FEATURE_UNALIGNED)
#define TATU_INTERNAL_KECCAK_LANES_THUMB2
#endif

/* Lanes are kept with their even bits in one word, their odd bits in another: lanes_interleaved.c. */
#if defined(TATU_INTERNAL_KECCAK_THUMB2) || defined(TATU_INTERNAL_KECCAK_THUMB1)
#define TATU_INTERNAL_KECCAK_INTERLEAVED
#endif

#endif
