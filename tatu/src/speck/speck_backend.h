/* Which back end serves Speck on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_SPECK_BACKEND_H
#define TATU_SPECK_BACKEND_H

#include "../common/assembly.h"


/* Speck-128. Its AVR code runs on every AVR. */
#if defined(__AVR__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_SPECK128_IN_AVR
#else
#define TATU_INTERNAL_SPECK128_IN_PORTABLE
#endif

/* Speck-128, eight blocks at once. */
#if defined(TATU_INTERNAL_NEON) && defined(TATU_INTERNAL_ARM_ASSEMBLY)
#define TATU_INTERNAL_SPECK128_EIGHT_BLOCKS_IN_NEON
#endif

/* Speck-64. */
#if defined(__AVR__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_SPECK64_IN_AVR
#else
#define TATU_INTERNAL_SPECK64_IN_PORTABLE
#endif

/* Plain Speck-64, encryption and decryption of a block, which rotate by MUL on an AVR. */
#if defined(TATU_INTERNAL_SPECK64_IN_AVR) && defined(__AVR_HAVE_MUL__)
#define TATU_INTERNAL_SPECK64_PLAIN_IN_AVR
#else
#define TATU_INTERNAL_SPECK64_PLAIN_IN_PORTABLE
#endif

#endif
