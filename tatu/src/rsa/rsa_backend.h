/* Which back end serves RSA on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_RSA_BACKEND_H
#define TATU_RSA_BACKEND_H

#include "../common/assembly.h"

/* The public operation with 2,048 bits, and the step of a Montgomery multiplication. */
#if !defined(TATU_PORTABLE) && defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_MUL__)
#define TATU_INTERNAL_RSA_IN_AVR
#elif defined(TATU_INTERNAL_NEON) && defined(__aarch64__)
#define TATU_INTERNAL_RSA_IN_NEON
#else
#define TATU_INTERNAL_RSA_IN_PORTABLE
#endif

#endif
