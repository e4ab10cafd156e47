/* Whether an algorithm's AVR assembly serves, or its twin in C. The smallest AVRs have no JMP and CALL, or no MUL, and get the C, as
 * does who asks for it everywhere by TATU_PORTABLE. (Assembly that needs neither has a condition of its own.) */
#ifndef TATU_COMMON_ASSEMBLY_H
#define TATU_COMMON_ASSEMBLY_H

#if defined(__AVR__) && defined(__AVR_HAVE_JMP_CALL__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_AVR_ASSEMBLY
#endif

/* The same, for assembly that points into the registers: those of XMEGA and of the newest ATtiny and ATmega have no address. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY) && !defined(__AVR_XMEGA__)
#define TATU_INTERNAL_AVR_REGISTERS_IN_MEMORY
#endif

#endif
