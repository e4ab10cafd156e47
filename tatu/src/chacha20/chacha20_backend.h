/* Which back end serves ChaCha20 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_CHACHA20_BACKEND_H
#define TATU_CHACHA20_BACKEND_H

#include "../common/assembly.h"


/* A block. The code of thumb2/ is A32 where the compiler makes A32. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_CHACHA20_IN_AVR
#elif defined(TATU_INTERNAL_ARM_ASSEMBLY)
#define TATU_INTERNAL_CHACHA20_IN_THUMB2
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_CHACHA20_IN_THUMB1
#else
#define TATU_INTERNAL_CHACHA20_IN_PORTABLE
#endif

/* Five blocks at once. */
#if defined(TATU_INTERNAL_NEON) && defined(__aarch64__)
#define TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_AARCH64
#elif defined(TATU_INTERNAL_NEON) && defined(TATU_INTERNAL_CHACHA20_IN_THUMB2)
#define TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_NEON
#endif

/* Whether anything takes five blocks at once. */
#if defined(TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_NEON) || defined(TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_AARCH64)
#define TATU_INTERNAL_CHACHA20_NEON
#endif

#endif
