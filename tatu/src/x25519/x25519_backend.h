/* Which back end serves X25519 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_X25519_BACKEND_H
#define TATU_X25519_BACKEND_H

#include "../common/assembly.h"

/* The code of thumb2/ is A32 where the compiler makes A32. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_X25519_IN_AVR
#elif defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
#define TATU_INTERNAL_X25519_IN_THUMB2
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_X25519_IN_THUMB1
#else
#define TATU_INTERNAL_X25519_IN_PORTABLE
#endif

/* The ladder of AArch64, whose 64-bit products are slow on small cores. The other arithmetic is that above. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_X25519_LADDER_IN_AVR
#elif defined(TATU_INTERNAL_X25519_IN_THUMB2)
#define TATU_INTERNAL_X25519_LADDER_IN_THUMB2
#elif defined(TATU_INTERNAL_X25519_IN_THUMB1)
#define TATU_INTERNAL_X25519_LADDER_IN_THUMB1
#elif defined(TATU_INTERNAL_NEON) && defined(__aarch64__)
#define TATU_INTERNAL_X25519_LADDER_IN_NEON
#else
#define TATU_INTERNAL_X25519_LADDER_IN_PORTABLE
#endif

/* The assembly for a Cortex-M inverts by powers, which needs 1.2 KB less. Division steps are faster. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_X25519_INVERTS_BY_POWERS
#endif

#endif
