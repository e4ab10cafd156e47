/* The exclusive-or of two strings for AVR; the C twin is tatu_internal_xor_long in bytes.h.
 *
 *     void tatu_internal_xor_avr(uint8_t *output, const uint8_t *a, const uint8_t *b, uint8_t length);
 *
 * Eight bytes at a time take 59 cycles, each further byte 10: 140 for a block of 16 with the call and the return. */
#include "../assembly.h"

#if defined(TATU_INTERNAL_XOR_IN_AVR)

#include "../assembly_avr.h"

    .section .text.tatu_internal_xor_avr,"ax",@progbits
    .global tatu_internal_xor_avr
    .hidden tatu_internal_xor_avr
    .type tatu_internal_xor_avr, @function
tatu_internal_xor_avr:
    .cfi_startproc
    push_registers r28
    push_registers r29
    movw XL, r24
    movw YL, r22
    movw ZL, r20
    subi r18, 8
    brcs 2f
1:  .rept 8
    ld r0, Y+
    ld r19, Z+
    eor r0, r19
    st X+, r0
    .endr
    subi r18, 8
    brcc 1b
2:  subi r18, -8
    breq 4f
3:  ld r0, Y+
    ld r19, Z+
    eor r0, r19
    st X+, r0
    dec r18
    brne 3b
4:  pop_registers r29
    pop_registers r28
    ret
    .cfi_endproc
    .size tatu_internal_xor_avr, . - tatu_internal_xor_avr

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../assembly_marks.h"
