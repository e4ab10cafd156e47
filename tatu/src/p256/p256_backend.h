/* Which back end serves P-256 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_P256_BACKEND_H
#define TATU_P256_BACKEND_H

#include "../common/assembly.h"

/* The code of thumb2/ is A32 where the compiler makes A32. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_P256_IN_AVR
#elif defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
#define TATU_INTERNAL_P256_IN_THUMB2
#elif defined(__aarch64__) && defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_P256_IN_AARCH64
#else
#define TATU_INTERNAL_P256_IN_PORTABLE
#endif

#endif
