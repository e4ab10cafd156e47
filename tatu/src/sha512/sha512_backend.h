/* Which back end serves SHA-512 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_SHA512_BACKEND_H
#define TATU_SHA512_BACKEND_H

/* The compression function. */
#if !defined(TATU_PORTABLE) && defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_SPH__)
#define TATU_INTERNAL_SHA512_IN_AVR
#else
#define TATU_INTERNAL_SHA512_IN_PORTABLE
#endif

#endif
