/* Transforms and products of ML-DSA's polynomials for processors with the DSP extension (FIPS 204, section 7.5); the C
 * twin is ml_dsa_ntt.c.
 *
 * A Montgomery product is SMULL, MUL and SMLAL: the multiple of q that makes the lower word zero is added to the
 * product in two words, and the upper word is the result. Two layers of a transform are one pass over four
 * coefficients, with their three factors in registers. The inverse reduces what it loads first, and its last pass
 * divides by 256.
 *
 * The time depends on nothing, and bounds are those of the C. */
#include "../ml_dsa_backend.h"

#if defined(TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define Q 8380417

    .section .text.tatu_internal_ml_dsa_ntt, "ax", %progbits
    .align 2
/* R times powers of 1753, modulo q (FIPS 204, appendix B), in the order in which the transform uses them: for each pass
 * of two layers the factor of the first and two of the second. The inverse goes backwards: they are minus its own, in
 * the other order. */
.Lfirst_zetas:
    .word 25847, -2608894, -518909
.Lsecond_zetas:
    .word 237124, 1826347, 2353451, -777960, -359251, -2091905, -876248, 3119733, -2884855
    .word 466468, 3111497, 2680103
.Lthird_zetas:
    .word 2725464, 2706023, 95776, 1024112, 3077325, 3530437, -1079900, -1661693, -3592148
    .word 3585928, -2537516, 3915439, -549488, -3861115, -3043716, -1119584, 3574422, -2867647
    .word 2619752, 3539968, -300467, -2108549, 2348700, -539299, -2118186, -1699267, -1643818
    .word -3859737, 3505694, -3821735, -1399561, 3507263, -2140649, -3277672, -1600420, 3699596
    .word 1757237, 811944, 531354, -19422, 954230, 3881043, 4010497, 3900724, -2556880
    .word 280005, 2071892, -2797779
.Llast_zetas:
    .word -3930395, 2091667, 3407706, -1528703, 2316500, 3817976, -3677745, -3342478, 2244091
    .word -3041255, -2446433, -3562462, -1452451, 266997, 2434439, 3475950, -1235728, 3513181
    .word 2176455, -3520352, -3759364, -1585221, -1197226, -3193378, -1257611, 900702, 1859098
    .word 1939314, 909542, 819034, -4083598, 495491, -1613174, -1000202, -43260, -522500
    .word -3190144, -655327, -3122442, -3157330, 2031748, 3207046, -3632928, -3556995, -525098
    .word 126922, -768622, -3595838, 3412210, 342297, 286988, -983419, -2437823, 4108315
    .word 2147896, 3437287, -3342277, 2715295, 1735879, 203044, -2967645, 2842341, 2691481
    .word -3693493, -2590150, 1265009, -411027, 4055324, 1247620, -2477047, 2486353, 1595974
    .word -671102, -3767016, 1250494, -1228525, 2635921, -3548272, -22981, -2994039, 1869119
    .word -1308169, 1903435, -1050970, -381987, -1333058, 1237275, 1349076, -3318210, -1430225
    .word 1852771, -451100, 1312455, -1430430, 3306115, -1962642, -3343383, -1279661, 1917081
    .word 264944, -2546312, -1374803, 508951, 1500165, 777191, 3097992, 2235880, 3406031
    .word 44288, -542412, -2831860, -1100098, -1671176, -1846953, 904516, -2584293, -3724270
    .word 3958618, 594136, -3776993, -3724342, -2013608, 2432395, -8578, 2454455, -164721
    .word 1653064, 1957272, 3369112, -3249728, 185531, -1207385, 2389356, -3183426, 162844
    .word -210977, 1616392, 3014001, 759969, 810149, 1652634, -1316856, -3694233, -1799107
    .word 189548, -3038916, 3523897, -3553272, 3866901, 269760, 3159746, 2213111, -975884
    .word -1851402, 1717735, 472078, -2409325, -426683, 1723600, -177440, -1803090, 1910376
    .word 1315589, -1667432, -1104333, 1341330, -260646, -3833893, 1285669, -2939036, -2235985
    .word -1584928, -420899, -2286327, -812732, 183443, -976891, -1439742, 1612842, -3545687
    .word -3019102, -554416, 3919660, -3881060, -48306, -1362209, -3628969, 3937738, 1400424
    .word 3839961, -846154, 1976782
.Lzetas_end:
/* R^2 / 256 modulo q, and the same times the first factor */
.Linverse_factor:
    .word 41978
.Linverse_factor_and_zeta:
    .word -3975713

/* Registers: the polynomial r0, factors r1 to r3, four coefficients r4 to r7, q r8, -1 / q modulo R r9, temporaries r10
 * and r11, the next factors r12, the end of a loop lr. */

/* A32 has no ADR that reaches every table. */
.macro address_of_zetas register, table
#if defined(__thumb__)
    adr \register, \table
#else
    adrl \register, \table
#endif
.endm

.macro local_function name
    .global \name
    .hidden \name
    .type \name, %function
#if defined(__thumb__)
    .thumb_func
#endif
\name:
    .cfi_startproc
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    movw r8, #(Q & 0xffff)
    movt r8, #(Q >> 16)
    movw r9, #0xdfff            /* -58728449 */
    movt r9, #0xfc7f
.endm

.macro finish name
    pop {r4-r11, pc}
    .cfi_endproc
    .size \name, . - \name
.endm

.macro butterfly a, b, factor
    smull r10, r11, \b, \factor
    mul \b, r10, r9
    smlal r10, r11, \b, r8
    sub \b, \a, r11
    add \a, \a, r11
.endm

.macro inverse_butterfly a, b, factor
    sub r11, \b, \a
    add \a, \a, \b
    smull r10, \b, r11, \factor
    mul r11, r10, r9
    smlal r10, \b, r11, r8
.endm

/* A coefficient times the one in \other, which changes; r10 does. */
.macro multiply coefficient, other
    smull r10, \coefficient, \coefficient, \other
    mul \other, r10, r9
    smlal r10, \coefficient, \other, r8
.endm

/* Four coefficients \step bytes apart */
.macro load_four step
    ldr r4, [r0]
    ldr r5, [r0, #\step]
    ldr r6, [r0, #2*\step]
    ldr r7, [r0, #3*\step]
.endm

.macro store_four step
    str r5, [r0, #\step]
    str r6, [r0, #2*\step]
    str r7, [r0, #3*\step]
    str r4, [r0], #4
.endm

.macro two_layers
    butterfly r4, r6, r1
    butterfly r5, r7, r1
    butterfly r4, r5, r2
    butterfly r6, r7, r3
.endm

.macro two_inverse_layers
    inverse_butterfly r4, r5, r3
    inverse_butterfly r6, r7, r2
    inverse_butterfly r4, r6, r1
    inverse_butterfly r5, r7, r1
.endm

/* A pass over blocks of 4 * \step bytes, until the factors end at \end: `next` loads a block's factors, `layers` are
 * two layers of butterflies. */
.macro pass_of next, layers, step, end
1:  \next r12!, {r1, r2, r3}
    add lr, r0, #\step
2:  load_four \step
    \layers
    store_four \step
    cmp r0, lr
    bne 2b
    add r0, r0, #3*\step
    address_of_zetas r10, \end
    cmp r12, r10
    bne 1b
    sub r0, r0, #1024
.endm

.macro pass step, end
    pass_of ldmia, two_layers, \step, \end
.endm

.macro inverse_pass step, end
    pass_of ldmdb, two_inverse_layers, \step, \end
.endm

/* Below q in size: 2^23 is congruent to 2^13 - 1. r11 is 2^22. */
.macro reduce coefficient
    add r10, \coefficient, r11
    asr r10, r10, #23
    mls \coefficient, r10, r8, \coefficient
.endm

    local_function tatu_internal_ml_dsa_ntt
    address_of_zetas r12, .Lfirst_zetas
    pass 256, .Lsecond_zetas
    pass 64, .Lthird_zetas
    pass 16, .Llast_zetas
    add lr, r0, #1024
3:  ldmia r12!, {r1, r2, r3}
    ldmia r0, {r4, r5, r6, r7}
    two_layers
    stmia r0!, {r4, r5, r6, r7}
    cmp r0, lr
    bne 3b
    finish tatu_internal_ml_dsa_ntt

    local_function tatu_internal_ml_dsa_inverse_ntt
    address_of_zetas r12, .Lzetas_end
    add lr, r0, #1024
3:  ldmdb r12!, {r1, r2, r3}
    ldmia r0, {r4, r5, r6, r7}
    mov r11, #0x400000
    reduce r4
    reduce r5
    reduce r6
    reduce r7
    two_inverse_layers
    stmia r0!, {r4, r5, r6, r7}
    cmp r0, lr
    bne 3b
    sub r0, r0, #1024
    inverse_pass 16, .Lthird_zetas
    inverse_pass 64, .Lsecond_zetas
    ldmdb r12, {r1, r2, r3}
    ldr r1, .Linverse_factor_and_zeta
    ldr r12, .Linverse_factor
    add lr, r0, #256
4:  load_four 256
    two_inverse_layers
    smull r10, r11, r4, r12
    mul r4, r10, r9
    smlal r10, r11, r4, r8
    mov r4, r11
    smull r10, r11, r5, r12
    mul r5, r10, r9
    smlal r10, r11, r5, r8
    mov r5, r11
    store_four 256
    cmp r0, lr
    bne 4b
    finish tatu_internal_ml_dsa_inverse_ntt

/* r0 sum, r1 a, r2 b */
    local_function tatu_internal_ml_dsa_multiply
    add lr, r0, #1024
1:  ldmia r1!, {r4, r5}
    ldmia r2!, {r6, r7}
    multiply r4, r6
    multiply r5, r7
    stmia r0!, {r4, r5}
    cmp r0, lr
    bne 1b
    finish tatu_internal_ml_dsa_multiply

    local_function tatu_internal_ml_dsa_multiply_add
    add lr, r0, #1024
1:  ldmia r1!, {r4, r5}
    ldmia r2!, {r6, r7}
    ldmia r0, {r3, r12}
    multiply r4, r6
    multiply r5, r7
    add r3, r3, r4
    add r12, r12, r5
    stmia r0!, {r3, r12}
    cmp r0, lr
    bne 1b
    finish tatu_internal_ml_dsa_multiply_add

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
