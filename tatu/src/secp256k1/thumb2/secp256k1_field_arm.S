/* secp256k1's arithmetic modulo p for 32-bit Arm with UMAAL. The C twin: portable/secp256k1_words.c. This file has what
 * depends on p; ../../weierstrass/thumb2/ has the rest.
 *
 * A number is any with 256 bits. p is 2^256 - c, where c is 2^32 + 977. */
#include "../secp256k1_backend.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/thumb2/products_arm.inc"
#include "../../weierstrass/thumb2/operations_arm.inc"

#define CURVE(name) tatu_internal_secp256k1_##name

/* The operations are those of secp256k1_programs.c. */
.macro double_point
    operate multiply, Z, Y, Z
    operate square, T0, X
    operate halve, T1, T0
    operate add, T0, T0, T1
    operate square, Y, Y
    operate multiply, T1, X, Y
    operate square, Y, Y
    operate square, X, T0
    operate subtract_twice, X, X, T1
    operate subtract, T1, T1, X
    operate multiply, T1, T0, T1
    operate subtract, Y, T1, Y
.endm

#include "../../weierstrass/thumb2/points_arm.inc"

/* t0 to t7 = the eight words at sp + c times h0 to h7, modulo p. t0 to t3 are free registers in rising order; t4 to t7
 * may be h0 to h4, each from where its last use is. What is above 2^256 is first two words, and then at most 1: there
 * the rest is so small that c makes no more. h6, h7, k and `factor` are lost. */
.macro reduce t0, t1, t2, t3, t4, t5, t6, t7, h0, h1, h2, h3, h4, h5, h6, h7, k, factor
    movw \factor, #977
    mov \k, #0
    ldm sp, {\t0, \t1, \t2, \t3}
    umaal \t0, \k, \factor, \h0
    umaal \t1, \k, \factor, \h1
    adds \t1, \t1, \h0
    umaal \t2, \k, \factor, \h2
    adcs \t2, \t2, \h1
    umaal \t3, \k, \factor, \h3
    adcs \t3, \t3, \h2
    ldr \t4, [sp, #16]
    umaal \t4, \k, \factor, \h4
    adcs \t4, \t4, \h3
    ldr \t5, [sp, #20]
    umaal \t5, \k, \factor, \h5
    adcs \t5, \t5, \h4
    ldr \t6, [sp, #24]
    umaal \t6, \k, \factor, \h6
    adcs \t6, \t6, \h5
    ldr \t7, [sp, #28]
    umaal \t7, \k, \factor, \h7
    adcs \t7, \t7, \h6
    adcs \k, \k, \h7
    mov \h7, #0
    adc \h7, \h7, #0
    /* The words k and h7 are above 2^256. */
    mov \h6, #0
    umaal \t0, \h6, \factor, \k
    mla \h6, \factor, \h7, \h6
    adds \h6, \h6, \k
    adc \h7, \h7, #0
    adds \t1, \t1, \h6
    adcs \t2, \t2, \h7
    .irp word, \t3, \t4, \t5, \t6, \t7
    adcs \word, \word, #0
    .endr
    mov \k, #0
    adc \k, \k, #0
    mul \h6, \k, \factor
    adds \t0, \t0, \h6
    adcs \t1, \t1, \k
    adc \t2, \t2, #0
.endm

.Lmultiply:
    operands_3
    ldm r2!, {r3-r6}
    str r0, [sp, #RESULT]
    str r2, [sp, #B]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    multiply_by_lower_half
    ldr r6, [sp, #B]
    str r0, [sp, #UPPER_WORDS]
    mov lr, #0
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half 16, UPPER_WORDS
    reduce r3, r4, r5, r6, r7, r8, r10, r11, lr, r11, r7, r8, r10, r12, r2, r0, r1, r9
    ldr r0, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r0, {r3-r8, r10, r11}
    bx lr

    next_frame
.Lsquare:
    operands_2
    str r0, [sp, #RESULT]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    square_words
    reduce r0, r1, r3, r4, r7, r8, r9, r10, r7, r8, r9, r10, r6, lr, r2, r11, r5, r12
    ldr r2, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r2, {r0, r1, r3, r4, r7-r10}
    bx lr

/* r1 = a multiple of c, in r3 to r10 and all above it is to go on with; r2 = 977 times r1. */
.macro multiple_of_excess
    movw r2, #977
    mul r2, r2, r1
.endm

/* A sum that carries is 2^256 too large, and c too small for that. If c carries again, what is left is below c. */
    next_frame
.Ladd:
    operands_3
    ldm r1, {r3-r10}
    add_number
    mov r1, #0
    adc r1, r1, #0
    multiple_of_excess
    adds r3, r3, r2
    adcs r4, r4, r1
    .irp word, r5, r6, r7, r8, r9, r10
    adcs \word, \word, #0
    .endr
    mov r1, #0
    adc r1, r1, #0
    multiple_of_excess
    adds r3, r3, r2
    adc r4, r4, r1
    stm r0, {r3-r10}
    bx lr

/* A difference that borrows once or twice is as often c too large. If that borrows again, only the two lowest words are
 * not all ones then. */
    begin_differences
    rsb r1, r1, #0
    multiple_of_excess
    subs r3, r3, r2
    sbcs r4, r4, r1
    .irp word, r5, r6, r7, r8, r9, r10
    sbcs \word, \word, #0
    .endr
    sbc r1, r1, r1
    rsb r1, r1, #0
    multiple_of_excess
    subs r3, r3, r2
    sbc r4, r4, r1
    stm r0, {r3-r10}
    bx lr

/* Half of an even number, or of an odd one with p. */
    next_frame
.Lhalve:
    operands_2
    ldm r1, {r3-r10}
    and r1, r3, #1
    rsb r12, r1, #0
    multiple_of_excess
    rsb r2, r2, #0
    adds r3, r3, r2
    adcs r4, r4, r12, lsl #1
    .irp word, r5, r6, r7, r8, r9, r10
    adcs \word, \word, r12
    .endr
    .irp word, r10, r9, r8, r7, r6, r5, r4
    rrxs \word, \word
    .endr
    rrx r3, r3
    stm r0, {r3-r10}
    bx lr
    .cfi_endproc

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
