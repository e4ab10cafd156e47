/* Which back end serves AES on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_AES_BACKEND_H
#define TATU_AES_BACKEND_H

#include "../common/assembly.h"


/* Plain AES, and plain AES with its tables in RAM. The Thumb back ends have the rounds of the fix-sliced representation
 * (aes_fixsliced.h), and portable/ the rest of it. The Thumb-2 rounds have not been tried on ARMv7-A. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_AES_PLAIN_IN_AVR
#elif defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_AES_PLAIN_IN_NEON
#elif defined(TATU_INTERNAL_ARM_ASSEMBLY) && defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && \
    __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_AES_PLAIN_IN_THUMB2
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_AES_PLAIN_IN_THUMB1
#else
#define TATU_INTERNAL_AES_PLAIN_IN_PORTABLE
#endif

/* The variant `ram` reads tables in RAM at addresses that depend on the secrets. An AVR has no cache. Of a Cortex-M
 * only the user knows that its RAM takes the same time for every address, and says so (tatu/aes.h). A Cortex-M7, which
 * has a data cache, is of ARMv7E-M as a Cortex-M4 is; if it has the larger FPU, __ARM_FP tells it. */
#if defined(TATU_AES_TABLES_IN_RAM) && defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)
#define TATU_INTERNAL_AES_RAM_THUMB1
#elif defined(TATU_AES_TABLES_IN_RAM) && defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB2) && __ARM_ARCH == 7 && \
    !(defined(__ARM_FP) && (__ARM_FP & 8))
#define TATU_INTERNAL_AES_RAM_THUMB2
#endif
#if defined(TATU_INTERNAL_AES_RAM_THUMB1) || defined(TATU_INTERNAL_AES_RAM_THUMB2)
#define TATU_INTERNAL_AES_RAM_TABLES
#endif

/* Small AES, whose round keys are made on the fly. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_AES_SMALL_IN_AVR
#elif defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_AES_SMALL_IN_NEON
#else
#define TATU_INTERNAL_AES_SMALL_IN_PORTABLE
#endif

/* Tiny AES. Its AVR code addresses the registers as memory. */
#if defined(TATU_INTERNAL_AVR_REGISTERS_IN_MEMORY)
#define TATU_INTERNAL_AES_TINY_IN_AVR
#elif defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_AES_TINY_IN_NEON
#else
#define TATU_INTERNAL_AES_TINY_IN_PORTABLE
#endif

/* Plain AES is fix-sliced where there are neither tables nor vectors. An AVR has tables: it has no cache to leak
 * through. */
#if !defined(__AVR__) && !defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_AES_FIXSLICED
#endif

/* The C computes SubBytes with tables on an AVR, and with logic operations everywhere else. */
#if defined(__AVR__)
#define TATU_INTERNAL_AES_TABLES
#endif

/* The NEON rounds on eight blocks are assembly on AArch32, and intrinsics on AArch64. */
#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON) && !defined(__aarch64__)
#define TATU_INTERNAL_AES_EIGHT_BLOCKS_ASSEMBLY
#endif

#endif
