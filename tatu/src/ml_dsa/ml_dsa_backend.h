/* Which back end serves ML-DSA on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_ML_DSA_BACKEND_H
#define TATU_ML_DSA_BACKEND_H

#include "../common/assembly.h"

/* Verification in little memory: products with what is sampled, decoding. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_ML_DSA_IN_AVR
#else
#define TATU_INTERNAL_ML_DSA_IN_PORTABLE
#endif

/* Also for it: halves of transforms. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_ML_DSA_HALVES_IN_AVR
#elif defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_ML_DSA_HALVES_IN_NEON
#else
#define TATU_INTERNAL_ML_DSA_HALVES_IN_PORTABLE
#endif

/* Transforms and products of whole polynomials. The code of thumb2/ is A32 where the compiler makes A32; it needs the
 * DSP extension. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_AVR
#elif defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_NEON
#elif defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
#define TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_THUMB2
#else
#define TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_PORTABLE
#endif

#endif
