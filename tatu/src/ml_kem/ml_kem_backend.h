/* Which back end serves ML-KEM on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_ML_KEM_BACKEND_H
#define TATU_ML_KEM_BACKEND_H

#include "../common/assembly.h"
#include "../sha3/keccak_backend.h"

/* Transforms and products of polynomials. The code of thumb2/ is A32 where the compiler makes A32; it needs the DSP
 * extension. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_ML_KEM_IN_AVR
#elif defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_ML_KEM_IN_NEON
#elif defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
#define TATU_INTERNAL_ML_KEM_IN_THUMB2
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_ML_KEM_IN_THUMB1
#else
#define TATU_INTERNAL_ML_KEM_IN_PORTABLE
#endif

/* Products with polynomials that are still encoded. The code of thumb2/ reads words at any address. */
#if defined(TATU_INTERNAL_ML_KEM_IN_THUMB2) && defined(__ARM_FEATURE_UNALIGNED)
#define TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_THUMB2
#elif defined(TATU_INTERNAL_ML_KEM_IN_THUMB1)
#define TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_THUMB1
#else
#define TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_PORTABLE
#endif

/* Sampling. The code of thumb2/ and thumb1/ takes lanes that are interleaved, as Keccak has them there. */
#if defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION) && defined(TATU_INTERNAL_KECCAK_IN_THUMB2)
#define TATU_INTERNAL_ML_KEM_SAMPLING_IN_THUMB2
#define TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY) && defined(TATU_INTERNAL_KECCAK_IN_THUMB1)
#define TATU_INTERNAL_ML_KEM_SAMPLING_IN_THUMB1
#define TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED
#elif defined(TATU_INTERNAL_ML_KEM_IN_NEON)
#define TATU_INTERNAL_ML_KEM_SAMPLING_IN_NEON
#else
#define TATU_INTERNAL_ML_KEM_SAMPLING_IN_PORTABLE
#endif

/* Encoding. */
#if defined(TATU_INTERNAL_ML_KEM_IN_NEON)
#define TATU_INTERNAL_ML_KEM_ENCODING_IN_NEON
#else
#define TATU_INTERNAL_ML_KEM_ENCODING_IN_PORTABLE
#endif

#endif
