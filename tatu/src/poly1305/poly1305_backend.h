/* Which back end serves Poly1305 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_POLY1305_BACKEND_H
#define TATU_POLY1305_BACKEND_H

#include "../common/assembly.h"


/* A block. The code of thumb2/ is A32 where the compiler makes A32. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_POLY1305_IN_AVR
#elif defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
#define TATU_INTERNAL_POLY1305_IN_THUMB2
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_POLY1305_IN_THUMB1
#else
#define TATU_INTERNAL_POLY1305_IN_PORTABLE
#endif

/* Eight blocks or more. */
#if defined(TATU_INTERNAL_NEON) && defined(__aarch64__)
#define TATU_INTERNAL_POLY1305_EIGHT_BLOCKS_IN_AARCH64
#elif defined(TATU_INTERNAL_NEON) && defined(TATU_INTERNAL_POLY1305_IN_THUMB2)
#define TATU_INTERNAL_POLY1305_EIGHT_BLOCKS_IN_NEON
#endif

/* Whether anything takes eight blocks at once. */
#if defined(TATU_INTERNAL_POLY1305_EIGHT_BLOCKS_IN_NEON) || defined(TATU_INTERNAL_POLY1305_EIGHT_BLOCKS_IN_AARCH64)
#define TATU_INTERNAL_POLY1305_NEON
#endif

#endif
