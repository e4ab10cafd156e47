/* Transforms and products of ML-KEM's polynomials for AVR (FIPS 203, sections 4.3 and 4.3.1); the C twin is
 * ml_kem_ntt.c.
 *
 * q = 3329 is 13 * 256 + 1. So a Montgomery reduction goes byte by byte: to take away the lowest byte's multiple of q
 * is to drop the byte and to take away 13 times it, one MUL. Two of these divide by R = 2^16. The result lies between
 * n / R - q and n / R.
 *
 * Two layers of a transform are one pass: four coefficients are loaded, go through four butterflies and are stored. The
 * seventh layer, of the smallest distance, is a pass of its own.
 *
 * Bounds: factors are between 0 and q. A layer of the transform adds q and a twentieth of the bound: after seven it is
 * 9.6 q, which 16 bits hold. In the inverse, sums are reduced at the end of each pass.
 *
 * How the cycles are spent: docs/reference/kernels/ml-kem.md. */
#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_IN_AVR)

#include "../../common/assembly_avr.h"

#define Q 3329
#define Q_HIGH 13
/* What makes every number that comes positive before a reduction. */
#define OFFSET (10 * Q)
#define INVERSE_FACTOR 1441 /* R^2 / 128 mod q */

    .section .progmem.data.tatu_internal_ml_kem_zetas,"a",@progbits
/* R times powers of 17, modulo q (FIPS 203, appendix A), in the order in which the transform uses them: for each pass
 * of two layers the factor of the first layer and two of the second. The inverse goes backwards. */
first_zetas:
    .word 2571, 2970, 1812
second_zetas:
    .word 1493, 3158, 622, 1422, 1577, 182, 287, 962, 2127, 202, 1855, 1468
third_zetas:
    .word 573, 1223, 652, 2004, 2777, 1015, 264, 2036, 1491, 383, 3047, 1785
    .word 2500, 516, 3321, 1458, 3009, 2663, 1727, 1711, 2167, 3199, 126, 1469
    .word 2648, 2476, 3239, 1017, 3058, 830, 732, 107, 1908, 608, 3082, 2378
    .word 1787, 2931, 961, 411, 1821, 2604, 3124, 448, 2264, 1758, 677, 2054
last_zetas:
    .word 2226, 430, 555, 843, 2078, 871, 1550, 105, 422, 587, 177, 3094
    .word 3038, 2869, 1574, 1653, 3083, 778, 1159, 3182, 2552, 1483, 2727, 1119
    .word 1739, 644, 2457, 349, 418, 329, 3173, 3254, 817, 1097, 603, 610
    .word 1322, 2044, 1864, 384, 2114, 3193, 1218, 1994, 2455, 220, 2142, 1670
    .word 2144, 1799, 2051, 794, 1819, 2475, 2459, 478, 3221, 3021, 996, 991
    .word 958, 1869, 1522, 1628
zetas_end:

/* Registers: coefficients 2 to 9; the product 10 to 13, whose upper half is the result; factors 16 to 21; the
 * coefficient that is multiplied 22 and 23. */
#define ZERO 14
#define THIRTEEN 15
#define LOOPS 24
#define TWENTY 25

/* r13:r12 = r13:r12:r11:r10 / R modulo q */
.macro divide_by_r
    mul 10, THIRTEEN
    sub 11, r0
    sbc 12, r1
    sbc 13, ZERO
    mul 11, THIRTEEN
    sub 12, r0
    sbc 13, r1
.endm

/* r13 to r10 = \a * \b, of which a is signed and b is not */
.macro product al, ah, bl, bh
    mulsu \ah, \bh
    movw 12, r0
    mul \al, \bl
    movw 10, r0
    mulsu \ah, \bl
    sbc 13, ZERO
    add 11, r0
    adc 12, r1
    adc 13, ZERO
    mul \bh, \al
    add 11, r0
    adc 12, r1
    adc 13, ZERO
.endm

/* r13 to r10 += \a * \b */
.macro add_product al, ah, bl, bh
    mulsu \ah, \bh
    add 12, r0
    adc 13, r1
    mul \al, \bl
    add 10, r0
    adc 11, r1
    adc 12, ZERO
    adc 13, ZERO
    mulsu \ah, \bl
    sbc 13, ZERO
    add 11, r0
    adc 12, r1
    adc 13, ZERO
    mul \bh, \al
    add 11, r0
    adc 12, r1
    adc 13, ZERO
.endm

/* r13:r12 = r23:r22 * factor / R: 26 cycles */
.macro multiply low, high
    product 22, 23, \low, \high
    divide_by_r
.endm

/* r23:r22 modulo q, between -783 and q - 1: 10 cycles. A twentieth of 256 of the upper byte is the quotient. */
.macro reduce
    subi 22, lo8(-(OFFSET))
    sbci 23, hi8(-(OFFSET))
    mul 23, TWENTY
    mov 10, r1
    mul 10, THIRTEEN
    sub 23, r0
    sub 22, 10
    sbc 23, ZERO
.endm

/* \sum and \difference from \coefficient, where the sum stays, and the product */
.macro add_and_subtract coefficient, high, difference, difference_high
    movw \difference, \coefficient
    sub \difference, 12
    sbc \difference_high, 13
    add \coefficient, 12
    adc \high, 13
.endm

/* ---- where the four coefficients of a pass are ---- */

/* 128 bytes apart: at Z, Y, Z + 256, Y + 256 */
.macro load_far0 low, high
    ld \low, Z
    ldd \high, Z+1
.endm
.macro load_far1 low, high
    ld \low, Y
    ldd \high, Y+1
.endm
.macro load_far2 low, high
    inc ZH
    ld \low, Z
    ldd \high, Z+1
    dec ZH
.endm
.macro load_far3 low, high
    inc YH
    ld \low, Y
    ldd \high, Y+1
    dec YH
.endm
.macro store_far0 low, high
    st Z+, \low
    st Z+, \high
.endm
.macro store_far1 low, high
    st Y+, \low
    st Y+, \high
.endm
.macro store_far2 low, high
    inc ZH
    st Z, \low
    std Z+1, \high
    dec ZH
.endm
.macro store_far3 low, high
    inc YH
    st Y, \low
    std Y+1, \high
    dec YH
.endm

/* 32 bytes apart: at Y, Y + 32, Z, Z + 32 */
.macro load_middle0 low, high
    ld \low, Y
    ldd \high, Y+1
.endm
.macro load_middle1 low, high
    ldd \low, Y+32
    ldd \high, Y+33
.endm
.macro load_middle2 low, high
    ld \low, Z
    ldd \high, Z+1
.endm
.macro load_middle3 low, high
    ldd \low, Z+32
    ldd \high, Z+33
.endm
/* the places move on with the ones that are stored last of the two */
.macro store_middle0 low, high
    st Y+, \low
    st Y+, \high
.endm
.macro store_middle1 low, high
    std Y+32, \low
    std Y+33, \high
.endm
.macro store_middle2 low, high
    st Z+, \low
    st Z+, \high
.endm
.macro store_middle3 low, high
    std Z+32, \low
    std Z+33, \high
.endm

/* 8 bytes apart, at Y */
.macro load_near0 low, high
    ld \low, Y
    ldd \high, Y+1
.endm
.macro load_near1 low, high
    ldd \low, Y+8
    ldd \high, Y+9
.endm
.macro load_near2 low, high
    ldd \low, Y+16
    ldd \high, Y+17
.endm
.macro load_near3 low, high
    ldd \low, Y+24
    ldd \high, Y+25
.endm
.macro store_near0 low, high
    st Y+, \low
    st Y+, \high
.endm
.macro store_near1 low, high
    std Y+8, \low
    std Y+9, \high
.endm
.macro store_near2 low, high
    std Y+16, \low
    std Y+17, \high
.endm
.macro store_near3 low, high
    std Y+24, \low
    std Y+25, \high
.endm

/* ---- passes ---- */

/* Three factors from X on, which moves on. */
.macro load_zetas
    movw ZL, XL
    lpm 16, Z+
    lpm 17, Z+
    lpm 18, Z+
    lpm 19, Z+
    lpm 20, Z+
    lpm 21, Z+
    movw XL, ZL
.endm

/* Three before X, which moves back. */
.macro load_zetas_before
    sbiw XL, 6
    movw ZL, XL
    lpm 16, Z+
    lpm 17, Z+
    lpm 18, Z+
    lpm 19, Z+
    lpm 20, Z+
    lpm 21, Z
.endm

.macro butterflies places
    load_\places\()2 22, 23
    multiply 16, 17
    load_\places\()0 2, 3
    add_and_subtract 2, 3, 6, 7
    load_\places\()3 22, 23
    multiply 16, 17
    load_\places\()1 4, 5
    add_and_subtract 4, 5, 22, 23
    multiply 20, 21
    add_and_subtract 6, 7, 8, 9
    store_\places\()3 8, 9
    store_\places\()2 6, 7
    movw 22, 4
    multiply 18, 19
    add_and_subtract 2, 3, 4, 5
    store_\places\()1 4, 5
    store_\places\()0 2, 3
.endm

.macro inverse_butterflies places
    load_\places\()1 22, 23
    load_\places\()0 2, 3
    movw 4, 22
    add 4, 2
    adc 5, 3
    sub 22, 2
    sbc 23, 3
    multiply 20, 21
    movw 6, 12
    load_\places\()3 22, 23
    load_\places\()2 2, 3
    movw 8, 22
    add 8, 2
    adc 9, 3
    sub 22, 2
    sbc 23, 3
    multiply 18, 19
    movw 2, 12
    movw 22, 2
    sub 22, 6
    sbc 23, 7
    multiply 16, 17
    store_\places\()3 12, 13
    movw 22, 8
    sub 22, 4
    sbc 23, 5
    multiply 16, 17
    store_\places\()2 12, 13
    movw 22, 2
    add 22, 6
    adc 23, 7
    reduce
    store_\places\()1 22, 23
    movw 22, 8
    add 22, 4
    adc 23, 5
    reduce
    store_\places\()0 22, 23
.endm

.macro set_constants
    clr ZERO
    ldi LOOPS, Q_HIGH
    mov THIRTEEN, LOOPS
    ldi TWENTY, 20
.endm

.macro back_by_512
    subi YH, 2
.endm

#define SAVED r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
#define RESTORED r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2

.macro begin name
    .section .text.\name,"ax",@progbits
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

.macro end name
    .cfi_endproc
    .size \name, . - \name
.endm

    begin tatu_internal_ml_kem_ntt
    push_registers SAVED
    movw YL, r24
    set_constants
    ldi XL, lo8(first_zetas)
    ldi XH, hi8(first_zetas)
    load_zetas
    movw ZL, YL
    subi YL, lo8(-(128))
    sbci YH, hi8(-(128))
    ldi LOOPS, 64
1:  butterflies far
    dec LOOPS
    breq 2f
    rjmp 1b
2:  movw YL, ZL
    subi YL, 128                /* Z has passed a quarter of the polynomial */
    sbc YH, ZERO
3:  load_zetas
    movw ZL, YL
    subi ZL, lo8(-(64))
    sbci ZH, hi8(-(64))
    ldi LOOPS, 16
4:  butterflies middle
    dec LOOPS
    breq 5f
    rjmp 4b
5:  subi YL, lo8(-(96))
    sbci YH, hi8(-(96))
    cpi XL, lo8(third_zetas)
    breq 6f
    rjmp 3b
6:  back_by_512
7:  load_zetas
    ldi LOOPS, 4
8:  butterflies near
    dec LOOPS
    breq 9f
    rjmp 8b
9:  adiw YL, 24
    cpi XL, lo8(last_zetas)
    breq 10f
    rjmp 7b
10: back_by_512
11: movw ZL, XL
    lpm 16, Z+
    lpm 17, Z+
    movw XL, ZL
    .irp place, 0, 2
    ldd 22, Y+\place+4
    ldd 23, Y+\place+5
    multiply 16, 17
    ldd 2, Y+\place
    ldd 3, Y+\place+1
    add_and_subtract 2, 3, 22, 23
    reduce
    std Y+\place+4, 22
    std Y+\place+5, 23
    movw 22, 2
    reduce
    std Y+\place, 22
    std Y+\place+1, 23
    .endr
    adiw YL, 8
    cpi XL, lo8(zetas_end)
    breq 12f
    rjmp 11b
12: clr r1
    pop_registers RESTORED
    ret
    end tatu_internal_ml_kem_ntt

    begin tatu_internal_ml_kem_inverse_ntt
    push_registers r24, r25
    push_registers SAVED
    movw YL, r24
    set_constants
    ldi XL, lo8(zetas_end)
    ldi XH, hi8(zetas_end)
1:  sbiw XL, 2
    movw ZL, XL
    lpm 16, Z+
    lpm 17, Z
    .irp place, 0, 2
    ldd 22, Y+\place+4
    ldd 23, Y+\place+5
    ldd 2, Y+\place
    ldd 3, Y+\place+1
    movw 4, 22
    sub 22, 2
    sbc 23, 3
    multiply 16, 17
    std Y+\place+4, 12
    std Y+\place+5, 13
    movw 22, 4
    add 22, 2
    adc 23, 3
    reduce
    std Y+\place, 22
    std Y+\place+1, 23
    .endr
    adiw YL, 8
    cpi XL, lo8(last_zetas)
    breq 2f
    rjmp 1b
2:  back_by_512
3:  load_zetas_before
    ldi LOOPS, 4
4:  inverse_butterflies near
    dec LOOPS
    breq 5f
    rjmp 4b
5:  adiw YL, 24
    cpi XL, lo8(third_zetas)
    breq 6f
    rjmp 3b
6:  back_by_512
7:  load_zetas_before
    movw ZL, YL
    subi ZL, lo8(-(64))
    sbci ZH, hi8(-(64))
    ldi LOOPS, 16
8:  inverse_butterflies middle
    dec LOOPS
    breq 9f
    rjmp 8b
9:  subi YL, lo8(-(96))
    sbci YH, hi8(-(96))
    cpi XL, lo8(second_zetas)
    breq 10f
    rjmp 7b
10: back_by_512
    load_zetas_before
    movw ZL, YL
    subi YL, lo8(-(128))
    sbci YH, hi8(-(128))
    ldi LOOPS, 64
11: inverse_butterflies far
    dec LOOPS
    breq 12f
    rjmp 11b
12: clr r1
    pop_registers RESTORED
    pop_registers r25, r24
    ldi r22, lo8(INVERSE_FACTOR)
    ldi r23, hi8(INVERSE_FACTOR)
    rjmp tatu_internal_ml_kem_scale
    end tatu_internal_ml_kem_inverse_ntt

    /* in the section of its caller above, which jumps to it */
    .global tatu_internal_ml_kem_scale
    .hidden tatu_internal_ml_kem_scale
    .type tatu_internal_ml_kem_scale, @function
tatu_internal_ml_kem_scale:
    .cfi_startproc
    push_registers r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw YL, r24
    movw 16, r22
    set_constants
    ldi LOOPS, 0                /* 256 times */
1:  ld 22, Y
    ldd 23, Y+1
    multiply 16, 17
    st Y+, 12
    st Y+, 13
    dec LOOPS
    brne 1b
    clr r1
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10
    ret
    end tatu_internal_ml_kem_scale

/* ---- products ---- */

/* One pair of coefficients of `a` at X and of `b` at Z: their product modulo X^2 - r5:r4 is added at Y. */
.macro multiply_add_pair
    .irp register, 16, 17, 18, 19
    ld \register, X+
    .endr
    .irp register, 20, 21, 22, 23
    ld \register, Z+
    .endr
    product 18, 19, 22, 23
    divide_by_r
    movw 2, 12
    product 16, 17, 22, 23
    add_product 18, 19, 20, 21
    divide_by_r
    ldd 22, Y+2
    ldd 23, Y+3
    add 22, 12
    adc 23, 13
    std Y+2, 22
    std Y+3, 23
    movw 18, 2
    movw 22, 4
    product 16, 17, 20, 21
    add_product 18, 19, 22, 23
    divide_by_r
    ld 22, Y
    ldd 23, Y+1
    add 22, 12
    adc 23, 13
    st Y+, 22
    st Y+, 23
    adiw YL, 2
.endm

/* sum r25:r24, a r23:r22, b r21:r20, group r18, groups r16 */
    begin tatu_internal_ml_kem_multiply_add
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw YL, r24
    movw XL, r22
    ldi ZL, lo8(last_zetas)
    ldi ZH, hi8(last_zetas)
    lsl r18
    add ZL, r18
    adc ZH, r1
    movw 8, ZL
    movw ZL, r20
    mov r17, r16
    set_constants
    mov LOOPS, r17
    tst LOOPS
    brne 1f
    rjmp 3f
1:  movw 6, ZL
    movw ZL, 8
    lpm 4, Z+
    lpm 5, Z+
    movw 8, ZL
    movw ZL, 6
    multiply_add_pair
    ldi 16, lo8(Q)
    ldi 17, hi8(Q)
    sub 16, 4
    sbc 17, 5
    movw 4, 16
    multiply_add_pair
    dec LOOPS
    breq 3f
    rjmp 1b
3:  clr r1
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    end tatu_internal_ml_kem_multiply_add

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
