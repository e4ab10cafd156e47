/* Which back end serves Ascon on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_ASCON_BACKEND_H
#define TATU_ASCON_BACKEND_H

#include "../common/assembly.h"


/* The permutation, and what takes whole blocks through it. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_ASCON_IN_AVR
#elif defined(TATU_INTERNAL_ARM_ASSEMBLY)
#define TATU_INTERNAL_ASCON_IN_THUMB2
#elif defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_ASCON_IN_THUMB1
#else
#define TATU_INTERNAL_ASCON_IN_PORTABLE
#endif

#endif
