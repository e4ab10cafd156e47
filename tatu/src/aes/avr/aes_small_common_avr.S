/* What tatu_aes128_small_encrypt and tatu_aes128_small_decrypt for AVR share. MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include "aes128_small.inc"
#include "small_enter.inc"

; Saves registers, loads state and key, goes on at Z (a word address). In: context r25:r24, output r23:r22, input
; r21:r20. Out: output in Y. Its section puts it before all tables, into what their alignment would leave empty.
    .section .progmem.gcc_before_tables.tatu_internal_aes128_small_enter,"ax",@progbits
    .p2align 1
    .global tatu_internal_aes128_small_enter
    .hidden tatu_internal_aes128_small_enter
    .type tatu_internal_aes128_small_enter, @function
tatu_internal_aes128_small_enter:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    movw r26, r20
    movw YL, r22
    load_state
    movw r26, r24
    ld r0, X+
    std Y+0, r0
    ld r0, X+
    std Y+1, r0
    ld r0, X+
    std Y+2, r0
    ld k3, X+
    ld k4, X+
    ld k5, X+
    ld k6, X+
    ld r0, X+
    std Y+7, r0
    ld r0, X+
    std Y+8, r0
    ld r0, X+
    std Y+9, r0
    ld r0, X+
    std Y+10, r0
    ld k11, X+
    ld k12, X+
    ld k13, X+
    ld k14, X+
    ld k15, X+
    ijmp
    .cfi_endproc
    .size tatu_internal_aes128_small_enter, . - tatu_internal_aes128_small_enter

; AddRoundKey.
    .section .text.tatu_internal_aes128_small_add_round_key,"ax",@progbits
    .global tatu_internal_aes128_small_add_round_key
    .hidden tatu_internal_aes128_small_add_round_key
    .type tatu_internal_aes128_small_add_round_key, @function
tatu_internal_aes128_small_add_round_key:
    .cfi_startproc
    ldd r0, Y+0
    eor s00, r0
    ldd r0, Y+1
    eor s10, r0
    ldd r0, Y+2
    eor s20, r0
    eor s30, k3
    eor s01, k4
    eor s11, k5
    eor s21, k6
    ldd r0, Y+7
    eor s31, r0
    ldd r0, Y+8
    eor s02, r0
    ldd r0, Y+9
    eor s12, r0
    ldd r0, Y+10
    eor s22, r0
    eor s32, k11
    eor s03, k12
    eor s13, k13
    eor s23, k14
    eor s33, k15
    ret
    .cfi_endproc
    .size tatu_internal_aes128_small_add_round_key, . - tatu_internal_aes128_small_add_round_key

; Stores the state and returns to the caller of the function that entered.
    .section .text.tatu_internal_aes128_small_leave,"ax",@progbits
    .global tatu_internal_aes128_small_leave
    .hidden tatu_internal_aes128_small_leave
    .type tatu_internal_aes128_small_leave, @function
tatu_internal_aes128_small_leave:
    .cfi_startproc
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    std Y+0, s00
    std Y+1, s10
    std Y+2, s20
    std Y+3, s30
    std Y+4, s01
    std Y+5, s11
    std Y+6, s21
    std Y+7, s31
    std Y+8, s02
    std Y+9, s12
    std Y+10, s22
    std Y+11, s32
    std Y+12, s03
    std Y+13, s13
    std Y+14, s23
    std Y+15, s33
    pop_registers YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    clr r1
    ret
    .cfi_endproc
    .size tatu_internal_aes128_small_leave, . - tatu_internal_aes128_small_leave

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
