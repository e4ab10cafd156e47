/* Which back end serves RC6 on which machine. Only this header decides it.
 * TATU_INTERNAL_<PART>_IN_<FOLDER> is defined if the files of that folder serve the part.
 * tests/back_ends.py makes the table of the README from it. */
#ifndef TATU_RC6_BACKEND_H
#define TATU_RC6_BACKEND_H

/* RC6 multiplies, so its AVR code needs MUL. It does not need JMP and CALL. */
#if defined(__AVR__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_RC6_IN_AVR
#else
#define TATU_INTERNAL_RC6_IN_PORTABLE
#endif

#endif
