/* tatu_speck64_128_set_key for AVR. MIT licence.
 *
 * A step of the schedule is a round with the step's number for a key (the paper, section 4.2). The step's new word l is
 * made in n, where the rotation by 8 comes with the copy; then the words of l move up. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_AVR)

#include "../../common/assembly_avr.h"

#define k 18
#define l0 22
#define l1 10
#define l2 14
#define n_low 30
#define n_high 28

    .section .text.tatu_speck64_128_set_key,"ax",@progbits
    .global tatu_speck64_128_set_key
    .type tatu_speck64_128_set_key, @function
tatu_speck64_128_set_key:
    .cfi_startproc
    push_registers r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r30, r22
    movw r26, r24
    .irp number, 18, 19, 20, 21, 22, 23, 24, 25, 10, 11, 12, 13, 14, 15, 16
    ld r\number, Z+
    .endr
    ld r17, Z
    clr r0
1:
    st X+, k
    st X+, k+1
    st X+, k+2
    st X+, k+3
    ; l[step + 3] = (k[step] + (l[step] >>> 8)) ^ step
    mov n_low, l0+1
    mov n_low+1, l0+2
    mov n_high, l0+3
    mov n_high+1, l0
    movw l0, l1
    movw l0+2, l1+2
    movw l1, l2
    movw l1+2, l2+2
    add n_low, k
    adc n_low+1, k+1
    adc n_high, k+2
    adc n_high+1, k+3
    eor n_low, r0
    movw l2, n_low
    movw l2+2, n_high
    inc r0
    ; k[step + 1] = (k[step] <<< 3) ^ l[step + 3]
    .rept 3
    lsl k
    rol k+1
    rol k+2
    rol k+3
    adc k, r1
    .endr
    eor k, n_low
    eor k+1, n_low+1
    eor k+2, n_high
    eor k+3, n_high+1
    ldi n_low, 27
    cpse r0, n_low
    rjmp 1b
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10
    clr r0
    .irp number, 18, 20, 22, 24, 30
    movw \number, r0
    .endr
    ret
    .cfi_endproc
    .size tatu_speck64_128_set_key, . - tatu_speck64_128_set_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
