/* How the assembly of Ascon lays the state out between rounds; for ascon_*_avr.S. `tatu_internal_ascon_rounds` is
 * called with this layout and leaves it, whatever number of rounds it does:
 *
 *   Y                the state's address; words S3 and S4, and bytes 6 and 7 of S2, are there
 *   P0 to P7         S0
 *   Q0 to Q7         S1
 *   R0 to R5         bytes 0 to 5 of S2
 *   S1, S2, S3       inverted
 *   r26              called with: the first round's constant
 *
 * It destroys R6, R7, r0, r1, r26, r27, r30, r31. */
#ifndef TATU_ASCON_LAYOUT_AVR_H
#define TATU_ASCON_LAYOUT_AVR_H

#include "../../common/assembly_avr.h"

/* Where the words are from Y. */
#define S0 0
#define S1 8
#define S2 16
#define S3 24
#define S4 32

/* Three places for a word, and six more registers. */
#define P0 r2
#define P1 r3
#define P2 r4
#define P3 r5
#define P4 r6
#define P5 r7
#define P6 r8
#define P7 r9
#define Q0 r10
#define Q1 r11
#define Q2 r12
#define Q3 r13
#define Q4 r14
#define Q5 r15
#define Q6 r16
#define Q7 r17
#define R0 r18
#define R1 r19
#define R2 r20
#define R3 r21
#define R4 r22
#define R5 r23
#define R6 r24
#define R7 r25

/* The callers' business: all registers that a function must leave as they were, and the layout into and out of
 * registers. */
.macro save_registers
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
.endm

.macro restore_registers
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    clr r1
.endm

#endif
