/* Which back end serves Keccak on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_KECCAK_BACKEND_H
#define TATU_KECCAK_BACKEND_H

/* The permutation Keccak-f[1600]. */
#if defined(TATU_PORTABLE)
#define TATU_INTERNAL_KECCAK_IN_PORTABLE
#elif defined(__AVR__) && defined(__AVR_HAVE_MUL__)
#define TATU_INTERNAL_KECCAK_IN_AVR
#elif defined(__aarch64__) && !defined(__AARCH64EB__) && defined(__ELF__)
#define TATU_INTERNAL_KECCAK_IN_AARCH64
#elif defined(__ELF__) && defined(__arm__) && defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_BIG_ENDIAN)
#if defined(__ARM_NEON)
#define TATU_INTERNAL_KECCAK_IN_NEON
#elif __ARM_ARCH_ISA_THUMB == 2
#define TATU_INTERNAL_KECCAK_IN_THUMB2
#elif __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_KECCAK_IN_THUMB1
#else
#define TATU_INTERNAL_KECCAK_IN_PORTABLE
#endif
#else
#define TATU_INTERNAL_KECCAK_IN_PORTABLE
#endif

/* Lanes are interleaved: the even bits in one word, the odd bits in another (portable/lanes_interleaved.c). */
#if defined(TATU_INTERNAL_KECCAK_IN_THUMB2) || defined(TATU_INTERNAL_KECCAK_IN_THUMB1)
#define TATU_INTERNAL_KECCAK_INTERLEAVED
#endif

/* Adding a block of the message to interleaved lanes. The Thumb-2 code reads words at any address; that of Thumb-1
 * reads bytes where it must. */
#if defined(TATU_INTERNAL_KECCAK_IN_THUMB2) && defined(__ARM_FEATURE_UNALIGNED)
#define TATU_INTERNAL_KECCAK_LANES_IN_THUMB2
#elif defined(TATU_INTERNAL_KECCAK_IN_THUMB1)
#define TATU_INTERNAL_KECCAK_LANES_IN_THUMB1
#elif defined(TATU_INTERNAL_KECCAK_INTERLEAVED)
#define TATU_INTERNAL_KECCAK_LANES_IN_PORTABLE
#endif

#endif
