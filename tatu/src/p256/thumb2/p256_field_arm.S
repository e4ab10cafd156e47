/* P-256's arithmetic modulo p, and its programs, for 32-bit Arm with UMAAL (../../weierstrass/state.h). The C twin:
 * portable/p256_words.c. How it is made: docs/reference/kernels/p256.md. This
 * file has what depends on p; ../../weierstrass/thumb2/ has the rest.
 *
 * A number is any with 256 bits. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/thumb2/products_arm.inc"
#include "../../weierstrass/thumb2/operations_arm.inc"

#define CURVE(name) tatu_internal_p256_##name

/* The operations are those of p256_programs.c. */
.macro double_point
    operate square, T0, Z
    operate multiply, Z, Y, Z
    operate subtract, T1, X, T0
    operate add, T0, X, T0
    operate multiply, T0, T0, T1
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

/* Adds a multiple of p that makes the words q0, q1, q2, q3 zero: they are the quotient themselves, because p is -1
 * modulo 2^96, but for what q0 adds to q3. p is 2^96 - 1 + 2^192 + 2^224 (2^32 - 1). The carry beyond t11 is in the
 * flags; `carry` and `ones` are lost. */
.macro add_quotients q0, q1, q2, q3, t4, t5, t6, t7, t8, t9, t10, t11, carry, ones
    mov \carry, #0
    mvn \ones, #0
    adds \q3, \q3, \q0
    adcs \t4, \t4, \q1
    adcs \t5, \t5, \q2
    adcs \t6, \t6, \q3
    adc \carry, \carry, #0
    umaal \t7, \carry, \q0, \ones
    umaal \t8, \carry, \q1, \ones
    umaal \t9, \carry, \q2, \ones
    umaal \t10, \carry, \q3, \ones
    adds \t6, \t6, \q0
    adcs \t7, \t7, \q1
    adcs \t8, \t8, \q2
    adcs \t9, \t9, \q3
    adcs \t10, \t10, #0
    adcs \t11, \t11, \carry
.endm

/* The carry of the flags, and at word 4 the one of the first four quotients; `above` is then what is above 2^256, 0 or
 * 1, and `mask` has it in every bit. */
.macro add_carries w4, w5, w6, w7, above, mask
    mov \above, #0
    ldr \mask, [sp, #ABOVE]
    adc \above, \above, #0
    adds \w4, \w4, \mask
    adcs \w5, \w5, #0
    adcs \w6, \w6, #0
    adcs \w7, \w7, #0
    adc \above, \above, #0
    rsb \mask, \above, #0
.endm

.Lmultiply:
    operands_3
    ldm r2!, {r3-r6}
    str r0, [sp, #RESULT]
    str r1, [sp, #A]
    str r2, [sp, #B]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    multiply_by_lower_half
    ldm sp, {r3-r6}
    add_quotients r3, r4, r5, r6, r11, r7, r8, r9, r10, r12, r2, r0, lr, r1
    mov r3, #0
    adc r3, r3, #0
    ldr r6, [sp, #B]
    ldr r1, [sp, #A]
    str r3, [sp, #ABOVE]
    str r0, [sp, #SPILLED]
    mov lr, #0
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half WORDS, SPILLED
    ldm sp, {r3-r6}
    add_quotients r3, r4, r5, r6, lr, r11, r7, r8, r10, r12, r2, r0, r9, r1
    add_carries r10, r12, r2, r0, r1, r9
    subs r3, lr, r9
    sbcs r4, r11, r9
    sbcs r5, r7, r9
    sbcs r6, r8, #0
    sbcs r7, r10, #0
    sbcs r8, r12, #0
    sbcs r10, r2, r1
    sbc r11, r0, r9
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
    str r6, [sp, #UPPER_WORDS]
    str lr, [sp, #UPPER_WORDS + 4]
    str r2, [sp, #UPPER_WORDS + 8]
    str r11, [sp, #UPPER_WORDS + 12]
    ldm sp, {r0-r6, r11}
    add_quotients r0, r1, r2, r3, r4, r5, r6, r11, r7, r8, r9, r10, r12, lr
    mov r12, #0
    adc r12, r12, #0
    str r12, [sp, #ABOVE]
    add r12, sp, #UPPER_WORDS
    ldm r12, {r0-r3}
    add_quotients r4, r5, r6, r11, r7, r8, r9, r10, r0, r1, r2, r3, r12, lr
    add_carries r0, r1, r2, r3, lr, r12
    subs r4, r7, r12
    sbcs r5, r8, r12
    sbcs r6, r9, r12
    sbcs r7, r10, #0
    sbcs r8, r0, #0
    sbcs r9, r1, #0
    sbcs r10, r2, lr
    sbc r11, r3, r12
    ldr r0, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r0, {r4-r11}
    bx lr

/* The words of k p, for k from 0 to 3, without what is above 2^256: m, n, n, h, 0, 0, k, m. `m` is -k modulo 2^32. */
.macro words_of_multiple m, n, h, k
    asr \n, \m, #31
    add \h, \k, \n
.endm

/* A sum that carries is 2^256 too large. Then p is subtracted, and once more if the highest word is all ones: only
 * there it can carry again. */
    next_frame
.Ladd:
    operands_3
    ldm r1, {r3-r10}
    add_number
    mov r1, #0
    adc r1, r1, #0
    cmn r10, r1
    adc r12, r1, #0
    rsb r1, r12, #0
    words_of_multiple r1, r2, r11, r12
    subs r3, r3, r1
    sbcs r4, r4, r2
    sbcs r5, r5, r2
    sbcs r6, r6, r11
    sbcs r7, r7, #0
    sbcs r8, r8, #0
    sbcs r9, r9, r12
    sbc r10, r10, r1
    stm r0, {r3-r10}
    bx lr

/* A difference that borrows once or twice is as often 2^256 too large. Then p is added as often, and once more if the
 * highest word is less than that: only there it would still be negative. */
    begin_differences
    rsb r12, r1, #0
    cmp r10, r12
    sbc r1, r1, #0
    rsb r12, r1, #0
    words_of_multiple r1, r2, r11, r12
    adds r3, r3, r1
    adcs r4, r4, r2
    adcs r5, r5, r2
    adcs r6, r6, r11
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, r12
    adc r10, r10, r1
    stm r0, {r3-r10}
    bx lr

/* Half of an even number, or of an odd one with p. */
    next_frame
.Lhalve:
    operands_2
    ldm r1, {r3-r10}
    and r11, r3, #1
    rsb r12, r11, #0
    adds r3, r3, r12
    adcs r4, r4, r12
    adcs r5, r5, r12
    adcs r6, r6, #0
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, r11
    adcs r10, r10, r12
    rrxs r10, r10
    rrxs r9, r9
    rrxs r8, r8
    rrxs r7, r7
    rrxs r6, r6
    rrxs r5, r5
    rrxs r4, r4
    rrx r3, r3
    stm r0, {r3-r10}
    bx lr
    .cfi_endproc

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
