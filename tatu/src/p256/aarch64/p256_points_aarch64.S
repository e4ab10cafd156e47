/* Points of P-256 for AArch64: products of 32 by 32 bits, which a Cortex-A53 adds up one in each cycle, where a product
 * of 64 by 64 bits takes it six. How it is made: docs/reference/kernels/p256.md.
 *
 *     void tatu_internal_p256_points_double(struct tatu_internal_p256_points *points, unsigned int times);
 *     void tatu_internal_p256_points_add(struct tatu_internal_p256_points *points, unsigned int is_general);
 *     void tatu_internal_p256_points_multiply(struct tatu_internal_p256_points *points, unsigned int places);
 *
 * What they compute: p256_points_aarch64.h. No branch and no address depends on a number.
 *
 * A product is one of Montgomery, R = 2^261: p is -1 modulo 2^29, so the lowest limb is the quotient, and its multiple
 * of p is added by four shifts. The order of the instructions in the products was searched
 * (tatu/search/p256_aarch64.py). */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_AARCH64)

#include "../../common/assembly_aarch64.h"

/* The places (p256_points_aarch64.h), of 40 bytes each. A point is N, V, Z. LDR of 16
 * bytes reaches those that are loaded so. */
#define T1 0
#define T2 1
#define N 2
#define V 3
#define Z 4
#define T0 5
#define N2 6
#define V2 7
#define Z2 8
#define T3 9
#define NUMBER_BYTES 40

#define FRAME_COUNT 0
#define FRAME_SAVED 16
#define FRAME_BYTES 112

/* Half of what a limb has, which rounds when limbs are carried. */
#define HALF_LIMB 0x10000000

.macro next_frame
    .cfi_endproc
    .cfi_startproc
.endm

.macro begin_function name
    .global \name
    .hidden \name
    .type \name, %function
    .balign 4
\name:
    .cfi_startproc
    enter
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    save_registers FRAME_SAVED
    mov x29, x0
    mov w4, #HALF_LIMB
.endm

.macro end_function name
    restore_registers FRAME_SAVED
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -FRAME_BYTES
    leave
    .cfi_endproc
    .size \name, . - \name
.endm

/* result = a b, a^2, c - a b, c - a^2 */
.macro multiply result, a, b
    add x0, x29, #\result * NUMBER_BYTES
    add x1, x29, #\a * NUMBER_BYTES
    add x2, x29, #\b * NUMBER_BYTES
    bl .Lmultiply
.endm
.macro square result, a
    add x0, x29, #\result * NUMBER_BYTES
    add x1, x29, #\a * NUMBER_BYTES
    bl .Lsquare
.endm
.macro multiply_less result, c, a, b
    add x0, x29, #\result * NUMBER_BYTES
    add x1, x29, #\a * NUMBER_BYTES
    add x2, x29, #\b * NUMBER_BYTES
    add x3, x29, #\c * NUMBER_BYTES
    bl .Lmultiply_less
.endm
.macro square_less result, c, a
    add x0, x29, #\result * NUMBER_BYTES
    add x1, x29, #\a * NUMBER_BYTES
    add x3, x29, #\c * NUMBER_BYTES
    bl .Lsquare_less
.endm

/* Limbs in v\r, v(\r + 1) and v(\r + 2); they are not carried. */
.macro take first, second, third, place
    ldr q\first, [x29, #\place * NUMBER_BYTES]
    ldr q\second, [x29, #\place * NUMBER_BYTES + 16]
    ldr d\third, [x29, #\place * NUMBER_BYTES + 32]
.endm
.macro put first, second, third, place
    str q\first, [x29, #\place * NUMBER_BYTES]
    str q\second, [x29, #\place * NUMBER_BYTES + 16]
    str d\third, [x29, #\place * NUMBER_BYTES + 32]
.endm
.macro limbs operation, r0, r1, r2, a0, a1, a2, b0, b1, b2
    \operation v\r0\().4s, v\a0\().4s, v\b0\().4s
    \operation v\r1\().4s, v\a1\().4s, v\b1\().4s
    \operation v\r2\().2s, v\a2\().2s, v\b2\().2s
.endm

    .section .text.tatu_internal_p256_points, "ax", %progbits

/* With d = Z^2, a = 3 (X - d) (X + d), g = V^2 and b = X g it is X' = a^2 - 2 b, Z' = V Z, V' = 2 a (b - X') - g^2:
 * dbl-2001-b of D. Bernstein and T. Lange, "Explicit-Formulas Database", with V = 2 Y. */
    begin_function tatu_internal_p256_points_double
.Ldouble:
    str w1, [sp, #FRAME_COUNT]
    square T0, Z
    multiply Z, V, Z
    take 0, 1, 2, N
    take 3, 4, 5, T0
    limbs sub, 16, 17, 18, 0, 1, 2, 3, 4, 5
    limbs add, 0, 1, 2, 0, 1, 2, 3, 4, 5
    limbs add, 3, 4, 5, 0, 1, 2, 0, 1, 2
    put 16, 17, 18, T1
    limbs add, 0, 1, 2, 0, 1, 2, 3, 4, 5
    put 0, 1, 2, T2
    multiply T0, T1, T2
    square T1, V
    multiply T2, N, T1
    take 0, 1, 2, T2
    limbs add, 0, 1, 2, 0, 1, 2, 0, 1, 2
    neg v0.4s, v0.4s
    neg v1.4s, v1.4s
    neg v2.2s, v2.2s
    put 0, 1, 2, T2             /* 2 b */
    square_less N, T2, T0
    take 0, 1, 2, N
    take 3, 4, 5, T2
    limbs add, 0, 1, 2, 0, 1, 2, 0, 1, 2
    limbs add, 0, 1, 2, 0, 1, 2, 3, 4, 5
    put 0, 1, 2, T2             /* 2 (b - X') */
    multiply T2, T0, T2
    square_less V, T2, T1
    ldr w1, [sp, #FRAME_COUNT]
    subs w1, w1, #1
    b.ne .Ldouble
    end_function tatu_internal_p256_points_double

/* With U = X Z2^2, S = V Z2^3, H = X2 Z^2 - U, r = S - V2 Z^3, I = 4 H^2, J = H I and W = U I it is X' = r^2 - J - 2 W,
 * V' = 2 (r (X' - W) - S J), Z' = 2 H Z Z2: the same source, add-2007-bl, with V = 2 Y. */
    begin_function tatu_internal_p256_points_add
    str w1, [sp, #FRAME_COUNT]
    cbz w1, .Lscaled
    square T2, Z2
    multiply N, N, T2
    multiply T2, T2, Z2
    multiply V, V, T2
.Lscaled:
    square T0, Z
    multiply T1, Z, T0
    multiply_less T2, N, N2, T0
    multiply_less T3, V, V2, T1
    ldr w1, [sp, #FRAME_COUNT]
    cbz w1, .Lmultiplied
    multiply Z, Z, Z2
.Lmultiplied:
    take 0, 1, 2, T2
    limbs add, 0, 1, 2, 0, 1, 2, 0, 1, 2
    put 0, 1, 2, T0             /* 2 H */
    multiply Z, T0, Z
    square T0, T0
    multiply T2, T2, T0
    multiply T0, N, T0
    take 0, 1, 2, T2
    take 3, 4, 5, T0
    limbs sub, 16, 17, 18, 0, 1, 2, 3, 4, 5
    limbs add, 0, 1, 2, 0, 1, 2, 0, 1, 2
    limbs sub, 16, 17, 18, 16, 17, 18, 3, 4, 5
    put 0, 1, 2, T2             /* 2 J */
    put 16, 17, 18, T1          /* J + 2 W */
    square_less N, T1, T3
    take 0, 1, 2, T0
    take 3, 4, 5, N
    limbs sub, 0, 1, 2, 0, 1, 2, 3, 4, 5
    limbs add, 0, 1, 2, 0, 1, 2, 0, 1, 2
    put 0, 1, 2, T0             /* 2 (X' - W) */
    multiply T3, T3, T0
    multiply_less V, T3, V, T2
    end_function tatu_internal_p256_points_add

/* Three places, four bits each, the lowest ones of the result. */
    begin_function tatu_internal_p256_points_multiply
    mov w5, #NUMBER_BYTES
    and w0, w1, #15
    ubfx w2, w1, #8, #4
    ubfx w1, w1, #4, #4
    umaddl x0, w0, w5, x29
    umaddl x2, w2, w5, x29
    umaddl x1, w1, w5, x29
    bl .Lmultiply
    end_function tatu_internal_p256_points_multiply
    .cfi_startproc

    next_frame
/* The number at x0 = the one at x1 times the one at x2. */
.Lmultiply:
    ldr w5, [x1]
    ldr w6, [x2]
    ldr w7, [x2, #4]
    ldr w8, [x2, #8]
    smull x9, w5, w6
    ldr w10, [x2, #12]
    smull x11, w5, w7
    ldr w12, [x1, #4]
    smull x13, w5, w8
    ldr w14, [x2, #16]
    smull x15, w5, w10
    add x11, x11, x9, asr #29
    smaddl x11, w12, w6, x11
    and x9, x9, #0x1fffffff
    smull x16, w5, w14
    ldr w17, [x2, #20]
    smaddl x13, w12, w7, x13
    add x15, x15, x9, lsl #9
    ldr w19, [x2, #24]
    smaddl x15, w12, w8, x15
    smull x20, w5, w17
    ldr w21, [x2, #28]
    ldr w22, [x1, #8]
    smaddl x16, w12, w10, x16
    smull x23, w5, w19
    add x13, x13, x11, asr #29
    ldr w24, [x2, #32]
    smull x25, w5, w21
    smaddl x13, w22, w6, x13
    and x11, x11, #0x1fffffff
    smaddl x15, w22, w7, x15
    add x23, x23, x9, lsl #18
    smull x5, w5, w24
    add x16, x16, x11, lsl #9
    smaddl x20, w12, w14, x20
    sub x25, x25, x9, lsl #21
    smaddl x16, w22, w8, x16
    add x9, x5, x9, lsl #24
    smaddl x23, w12, w17, x23
    ldr w5, [x1, #12]
    smaddl x20, w22, w10, x20
    add x15, x15, x13, asr #29
    smaddl x25, w12, w19, x25
    and x13, x13, #0x1fffffff
    smaddl x9, w12, w21, x9
    smaddl x15, w5, w6, x15
    add x25, x25, x11, lsl #18
    smaddl x12, w12, w24, x4
    add x20, x20, x13, lsl #9
    smaddl x16, w5, w7, x16
    sub x9, x9, x11, lsl #21
    smaddl x23, w22, w14, x23
    add x11, x12, x11, lsl #24
    smaddl x20, w5, w8, x20
    ldr w12, [x1, #16]
    smaddl x25, w22, w17, x25
    add x16, x16, x15, asr #29
    smaddl x23, w5, w10, x23
    and x15, x15, #0x1fffffff
    smaddl x9, w22, w19, x9
    smaddl x11, w22, w21, x11
    add x23, x23, x15, lsl #9
    smaddl x16, w12, w6, x16
    add x9, x9, x13, lsl #18
    smaddl x22, w22, w24, x4
    sub x11, x11, x13, lsl #21
    smaddl x20, w12, w7, x20
    and x26, x16, #0x1fffffff
    smaddl x25, w5, w14, x25
    add x13, x22, x13, lsl #24
    smaddl x23, w12, w8, x23
    ldr w22, [x1, #20]
    smaddl x9, w5, w17, x9
    add x16, x20, x16, asr #29
    smaddl x25, w12, w10, x25
    smaddl x11, w5, w19, x11
    smaddl x13, w5, w21, x13
    add x25, x25, x26, lsl #9
    smaddl x16, w22, w6, x16
    add x11, x11, x15, lsl #18
    smaddl x5, w5, w24, x4
    sub x13, x13, x15, lsl #21
    smaddl x23, w22, w7, x23
    and x20, x16, #0x1fffffff
    smaddl x9, w12, w14, x9
    add x15, x5, x15, lsl #24
    smaddl x25, w22, w8, x25
    ldr w5, [x1, #24]
    smaddl x11, w12, w17, x11
    add x16, x23, x16, asr #29
    smaddl x13, w12, w19, x13
    smaddl x9, w22, w10, x9
    smaddl x15, w12, w21, x15
    add x13, x13, x26, lsl #18
    smaddl x16, w5, w6, x16
    add x9, x9, x20, lsl #9
    smaddl x12, w12, w24, x4
    sub x15, x15, x26, lsl #21
    smaddl x25, w5, w7, x25
    and x23, x16, #0x1fffffff
    smaddl x11, w22, w14, x11
    add x26, x12, x26, lsl #24
    smaddl x13, w22, w17, x13
    ldr w12, [x1, #28]
    smaddl x9, w5, w8, x9
    add x16, x25, x16, asr #29
    smaddl x15, w22, w19, x15
    smaddl x11, w5, w10, x11
    smaddl x26, w22, w21, x26
    add x15, x15, x20, lsl #18
    smaddl x22, w22, w24, x4
    add x11, x11, x23, lsl #9
    smaddl x16, w12, w6, x16
    sub x26, x26, x20, lsl #21
    smaddl x13, w5, w14, x13
    add x20, x22, x20, lsl #24
    smaddl x9, w12, w7, x9
    and x22, x16, #0x1fffffff
    smaddl x15, w5, w17, x15
    ldr w25, [x1, #32]
    smaddl x11, w12, w8, x11
    add x16, x9, x16, asr #29
    smaddl x13, w12, w10, x13
    smaddl x26, w5, w19, x26
    smaddl x20, w5, w21, x20
    add x13, x13, x22, lsl #9
    smaddl x5, w5, w24, x4
    add x26, x26, x23, lsl #18
    smaddl x16, w25, w6, x16
    sub x20, x20, x23, lsl #21
    smaddl x15, w12, w14, x15
    add x23, x5, x23, lsl #24
    smaddl x11, w25, w7, x11
    and x7, x16, #0x1fffffff
    smaddl x13, w25, w8, x13
    smaddl x26, w12, w17, x26
    add x16, x11, x16, asr #29
    smaddl x20, w12, w19, x20
    and w11, w16, #0x1fffffff
    smaddl x15, w25, w10, x15
    add x16, x13, x16, asr #29
    smaddl x23, w12, w21, x23
    add x20, x20, x22, lsl #18
    smaddl x12, w12, w24, x4
    add x15, x15, x7, lsl #9
    smaddl x26, w25, w14, x26
    sub x23, x23, x22, lsl #21
    smaddl x20, w25, w17, x20
    add x22, x12, x22, lsl #24
    smaddl x23, w25, w19, x23
    add x15, x15, x16, asr #29
    smaddl x22, w25, w21, x22
    and w16, w16, #0x1fffffff
    add x26, x26, x15, asr #29
    smaddl x24, w25, w24, x4
    add x23, x23, x7, lsl #18
    sub x22, x22, x7, lsl #21
    add x20, x20, x26, asr #29
    add x7, x24, x7, lsl #24
    sub w11, w11, w4
    and w15, w15, #0x1fffffff
    add x23, x23, x20, asr #29
    sub w16, w16, w4
    and w26, w26, #0x1fffffff
    sub w15, w15, w4
    add x22, x22, x23, asr #29
    and w20, w20, #0x1fffffff
    sub w26, w26, w4
    and w23, w23, #0x1fffffff
    add x7, x7, x22, asr #29
    sub w20, w20, w4
    and w22, w22, #0x1fffffff
    sub w23, w23, w4
    and w24, w7, #0x1fffffff
    sub w22, w22, w4
    sub w24, w24, w4
    asr x7, x7, #29
    stp w11, w16, [x0]
    stp w15, w26, [x0, #8]
    stp w20, w23, [x0, #16]
    stp w22, w24, [x0, #24]
    str w7, [x0, #32]
    ret

    next_frame
/* The number at x0 = the one at x3 - the one at x1 times the one at x2. */
.Lmultiply_less:
    ldr w5, [x1]
    ldr w6, [x2]
    ldr w7, [x2, #4]
    ldr w8, [x2, #8]
    smnegl x9, w5, w6
    ldr w10, [x2, #12]
    smnegl x11, w5, w7
    ldr w12, [x2, #16]
    smnegl x13, w5, w8
    ldr w14, [x2, #20]
    smnegl x15, w5, w10
    ldr w16, [x2, #24]
    smnegl x17, w5, w12
    ldr w19, [x2, #28]
    smnegl x20, w5, w14
    add x11, x11, x9, asr #29
    smnegl x21, w5, w16
    and x9, x9, #0x1fffffff
    smnegl x22, w5, w19
    ldr w23, [x2, #32]
    add x15, x15, x9, lsl #9
    ldr w24, [x1, #4]
    add x21, x21, x9, lsl #18
    sub x22, x22, x9, lsl #21
    smnegl x5, w5, w23
    ldrsw x25, [x3]
    smsubl x11, w24, w6, x11
    smsubl x13, w24, w7, x13
    add x9, x5, x9, lsl #24
    smsubl x15, w24, w8, x15
    and x5, x11, #0x1fffffff
    smsubl x17, w24, w10, x17
    add x11, x13, x11, asr #29
    smsubl x20, w24, w12, x20
    add x25, x25, x4
    smsubl x21, w24, w14, x21
    add x17, x17, x5, lsl #9
    smsubl x22, w24, w16, x22
    ldr w13, [x1, #8]
    smsubl x9, w24, w19, x9
    ldrsw x26, [x3, #4]
    smsubl x25, w24, w23, x25
    add x22, x22, x5, lsl #18
    smsubl x11, w13, w6, x11
    sub x9, x9, x5, lsl #21
    smsubl x15, w13, w7, x15
    add x5, x25, x5, lsl #24
    smsubl x17, w13, w8, x17
    and x25, x11, #0x1fffffff
    smsubl x20, w13, w10, x20
    add x11, x15, x11, asr #29
    smsubl x21, w13, w12, x21
    add x26, x26, x4
    smsubl x22, w13, w14, x22
    add x20, x20, x25, lsl #9
    smsubl x9, w13, w16, x9
    ldr w15, [x1, #12]
    smsubl x5, w13, w19, x5
    ldrsw x24, [x3, #8]
    smsubl x26, w13, w23, x26
    add x9, x9, x25, lsl #18
    smsubl x11, w15, w6, x11
    sub x5, x5, x25, lsl #21
    smsubl x17, w15, w7, x17
    add x25, x26, x25, lsl #24
    smsubl x20, w15, w8, x20
    and x26, x11, #0x1fffffff
    smsubl x21, w15, w10, x21
    add x11, x17, x11, asr #29
    smsubl x22, w15, w12, x22
    add x24, x24, x4
    smsubl x9, w15, w14, x9
    add x21, x21, x26, lsl #9
    smsubl x5, w15, w16, x5
    ldr w17, [x1, #16]
    smsubl x25, w15, w19, x25
    ldrsw x13, [x3, #12]
    smsubl x24, w15, w23, x24
    add x5, x5, x26, lsl #18
    smsubl x11, w17, w6, x11
    sub x25, x25, x26, lsl #21
    smsubl x20, w17, w7, x20
    add x26, x24, x26, lsl #24
    smsubl x21, w17, w8, x21
    and x24, x11, #0x1fffffff
    smsubl x22, w17, w10, x22
    add x11, x20, x11, asr #29
    smsubl x9, w17, w12, x9
    add x13, x13, x4
    smsubl x5, w17, w14, x5
    add x22, x22, x24, lsl #9
    smsubl x25, w17, w16, x25
    ldr w20, [x1, #20]
    smsubl x26, w17, w19, x26
    ldrsw x15, [x3, #16]
    smsubl x13, w17, w23, x13
    add x25, x25, x24, lsl #18
    smsubl x11, w20, w6, x11
    sub x26, x26, x24, lsl #21
    smsubl x21, w20, w7, x21
    add x24, x13, x24, lsl #24
    smsubl x22, w20, w8, x22
    and x13, x11, #0x1fffffff
    smsubl x9, w20, w10, x9
    add x11, x21, x11, asr #29
    smsubl x5, w20, w12, x5
    add x15, x15, x4
    smsubl x25, w20, w14, x25
    add x9, x9, x13, lsl #9
    smsubl x26, w20, w16, x26
    ldr w21, [x1, #24]
    smsubl x24, w20, w19, x24
    ldrsw x17, [x3, #20]
    smsubl x15, w20, w23, x15
    add x26, x26, x13, lsl #18
    smsubl x11, w21, w6, x11
    sub x24, x24, x13, lsl #21
    smsubl x22, w21, w7, x22
    add x13, x15, x13, lsl #24
    smsubl x9, w21, w8, x9
    and x15, x11, #0x1fffffff
    smsubl x5, w21, w10, x5
    add x11, x22, x11, asr #29
    smsubl x25, w21, w12, x25
    add x17, x17, x4
    smsubl x26, w21, w14, x26
    add x5, x5, x15, lsl #9
    smsubl x24, w21, w16, x24
    ldr w22, [x1, #28]
    smsubl x13, w21, w19, x13
    ldrsw x20, [x3, #24]
    smsubl x17, w21, w23, x17
    add x24, x24, x15, lsl #18
    smsubl x11, w22, w6, x11
    sub x13, x13, x15, lsl #21
    smsubl x9, w22, w7, x9
    add x15, x17, x15, lsl #24
    smsubl x5, w22, w8, x5
    and x17, x11, #0x1fffffff
    smsubl x25, w22, w10, x25
    add x11, x9, x11, asr #29
    smsubl x26, w22, w12, x26
    add x20, x20, x4
    smsubl x24, w22, w14, x24
    add x25, x25, x17, lsl #9
    smsubl x13, w22, w16, x13
    ldr w9, [x1, #32]
    smsubl x15, w22, w19, x15
    ldrsw x21, [x3, #28]
    smsubl x20, w22, w23, x20
    add x13, x13, x17, lsl #18
    smsubl x11, w9, w6, x11
    sub x15, x15, x17, lsl #21
    smsubl x5, w9, w7, x5
    add x17, x20, x17, lsl #24
    smsubl x25, w9, w8, x25
    and x8, x11, #0x1fffffff
    smsubl x26, w9, w10, x26
    add x11, x5, x11, asr #29
    smsubl x24, w9, w12, x24
    add x21, x21, x4
    smsubl x13, w9, w14, x13
    add x26, x26, x8, lsl #9
    smsubl x15, w9, w16, x15
    add x25, x25, x11, asr #29
    smsubl x17, w9, w19, x17
    ldrsw x19, [x3, #32]
    smsubl x21, w9, w23, x21
    add x15, x15, x8, lsl #18
    sub x17, x17, x8, lsl #21
    add x26, x26, x25, asr #29
    add x8, x21, x8, lsl #24
    and w11, w11, #0x1fffffff
    sub w11, w11, w4
    add x24, x24, x26, asr #29
    and w25, w25, #0x1fffffff
    and w26, w26, #0x1fffffff
    sub w25, w25, w4
    add x13, x13, x24, asr #29
    sub w26, w26, w4
    and w24, w24, #0x1fffffff
    sub w24, w24, w4
    add x15, x15, x13, asr #29
    and w13, w13, #0x1fffffff
    and w21, w15, #0x1fffffff
    sub w13, w13, w4
    add x15, x17, x15, asr #29
    sub w21, w21, w4
    and w17, w15, #0x1fffffff
    add x15, x8, x15, asr #29
    sub w17, w17, w4
    and w8, w15, #0x1fffffff
    stp w11, w25, [x0]
    sub w8, w8, w4
    add x15, x19, x15, asr #29
    stp w26, w24, [x0, #8]
    stp w13, w21, [x0, #16]
    stp w17, w8, [x0, #24]
    str w15, [x0, #32]
    ret

    next_frame
/* The number at x0 = the square of the one at x1. */
.Lsquare:
    ldr w5, [x1]
    ldr w6, [x1, #4]
    ldr w7, [x1, #8]
    smull x8, w5, w5
    lsl w5, w5, #1
    ldr w9, [x1, #12]
    lsl w10, w6, #1
    smull x11, w5, w6
    ldr w12, [x1, #16]
    smull x13, w5, w7
    ldr w14, [x1, #20]
    smull x15, w5, w9
    ldr w16, [x1, #24]
    smull x17, w5, w12
    ldr w19, [x1, #28]
    smull x20, w5, w14
    ldr w21, [x1, #32]
    smull x22, w5, w16
    and x23, x8, #0x1fffffff
    smull x24, w5, w19
    add x8, x11, x8, asr #29
    smull x5, w5, w21
    add x15, x15, x23, lsl #9
    smaddl x13, w6, w6, x13
    add x22, x22, x23, lsl #18
    smaddl x15, w10, w7, x15
    sub x24, x24, x23, lsl #21
    smaddl x17, w10, w9, x17
    add x23, x5, x23, lsl #24
    smaddl x20, w10, w12, x20
    and x5, x8, #0x1fffffff
    smaddl x22, w10, w14, x22
    add x8, x13, x8, asr #29
    smaddl x24, w10, w16, x24
    add x17, x17, x5, lsl #9
    smaddl x23, w10, w19, x23
    lsl w13, w7, #1
    smaddl x10, w10, w21, x4
    add x24, x24, x5, lsl #18
    smaddl x17, w7, w7, x17
    sub x23, x23, x5, lsl #21
    smaddl x20, w13, w9, x20
    add x5, x10, x5, lsl #24
    smaddl x22, w13, w12, x22
    and x10, x8, #0x1fffffff
    smaddl x24, w13, w14, x24
    add x8, x15, x8, asr #29
    smaddl x23, w13, w16, x23
    add x20, x20, x10, lsl #9
    smaddl x5, w13, w19, x5
    lsl w15, w9, #1
    smaddl x13, w13, w21, x4
    add x23, x23, x10, lsl #18
    smaddl x22, w9, w9, x22
    sub x5, x5, x10, lsl #21
    smaddl x24, w15, w12, x24
    add x10, x13, x10, lsl #24
    smaddl x23, w15, w14, x23
    and x13, x8, #0x1fffffff
    smaddl x5, w15, w16, x5
    add x8, x17, x8, asr #29
    smaddl x10, w15, w19, x10
    add x22, x22, x13, lsl #9
    smaddl x15, w15, w21, x4
    add x5, x5, x13, lsl #18
    smaddl x23, w12, w12, x23
    sub x10, x10, x13, lsl #21
    add x13, x15, x13, lsl #24
    lsl w12, w12, #1
    and x15, x8, #0x1fffffff
    add x8, x20, x8, asr #29
    smaddl x5, w12, w14, x5
    lsl w20, w14, #1
    smaddl x10, w12, w16, x10
    add x24, x24, x15, lsl #9
    smaddl x13, w12, w19, x13
    and x17, x8, #0x1fffffff
    smaddl x12, w12, w21, x4
    add x10, x10, x15, lsl #18
    smaddl x10, w14, w14, x10
    sub x13, x13, x15, lsl #21
    smaddl x13, w20, w16, x13
    add x15, x12, x15, lsl #24
    smaddl x15, w20, w19, x15
    add x8, x22, x8, asr #29
    smaddl x20, w20, w21, x4
    add x23, x23, x17, lsl #9
    add x13, x13, x17, lsl #18
    sub x15, x15, x17, lsl #21
    smaddl x15, w16, w16, x15
    add x17, x20, x17, lsl #24
    lsl w16, w16, #1
    and x20, x8, #0x1fffffff
    add x8, x24, x8, asr #29
    lsl w24, w19, #1
    smaddl x17, w16, w19, x17
    add x5, x5, x20, lsl #9
    smaddl x16, w16, w21, x4
    add x15, x15, x20, lsl #18
    smaddl x24, w24, w21, x4
    sub x17, x17, x20, lsl #21
    add x20, x16, x20, lsl #24
    and x16, x8, #0x1fffffff
    smaddl x20, w19, w19, x20
    add x8, x23, x8, asr #29
    add x10, x10, x16, lsl #9
    smaddl x21, w21, w21, x4
    add x17, x17, x16, lsl #18
    and x23, x8, #0x1fffffff
    add x8, x5, x8, asr #29
    sub x20, x20, x16, lsl #21
    add x13, x13, x23, lsl #9
    add x16, x24, x16, lsl #24
    add x20, x20, x23, lsl #18
    add x10, x10, x8, asr #29
    sub x16, x16, x23, lsl #21
    add x23, x21, x23, lsl #24
    add x13, x13, x10, asr #29
    and w8, w8, #0x1fffffff
    sub w8, w8, w4
    and w10, w10, #0x1fffffff
    add x15, x15, x13, asr #29
    sub w10, w10, w4
    and w13, w13, #0x1fffffff
    and w21, w15, #0x1fffffff
    add x15, x17, x15, asr #29
    sub w13, w13, w4
    sub w21, w21, w4
    and w17, w15, #0x1fffffff
    add x15, x20, x15, asr #29
    sub w17, w17, w4
    and w20, w15, #0x1fffffff
    stp w8, w10, [x0]
    add x15, x16, x15, asr #29
    sub w20, w20, w4
    and w16, w15, #0x1fffffff
    stp w13, w21, [x0, #8]
    add x15, x23, x15, asr #29
    sub w16, w16, w4
    and w23, w15, #0x1fffffff
    stp w17, w20, [x0, #16]
    sub w23, w23, w4
    asr x15, x15, #29
    stp w16, w23, [x0, #24]
    str w15, [x0, #32]
    ret

    next_frame
/* The number at x0 = the one at x3 - the square of the one at x1. */
.Lsquare_less:
    ldr w5, [x1]
    ldr w6, [x1, #4]
    ldr w7, [x1, #8]
    smnegl x8, w5, w5
    lsl w5, w5, #1
    ldr w9, [x1, #12]
    smnegl x10, w5, w6
    ldr w11, [x1, #16]
    smnegl x12, w5, w7
    ldr w13, [x1, #20]
    smnegl x14, w5, w9
    ldr w15, [x1, #24]
    smnegl x16, w5, w11
    ldr w17, [x1, #28]
    smnegl x19, w5, w13
    ldr w20, [x1, #32]
    smnegl x21, w5, w15
    and x22, x8, #0x1fffffff
    smnegl x23, w5, w17
    add x8, x10, x8, asr #29
    smnegl x5, w5, w20
    add x14, x14, x22, lsl #9
    smsubl x12, w6, w6, x12
    add x21, x21, x22, lsl #18
    sub x23, x23, x22, lsl #21
    lsl w6, w6, #1
    add x22, x5, x22, lsl #24
    ldrsw x5, [x3]
    smsubl x14, w6, w7, x14
    and x10, x8, #0x1fffffff
    smsubl x16, w6, w9, x16
    add x8, x12, x8, asr #29
    smsubl x19, w6, w11, x19
    add x5, x5, x4
    smsubl x21, w6, w13, x21
    add x16, x16, x10, lsl #9
    smsubl x23, w6, w15, x23
    lsl w12, w7, #1
    smsubl x22, w6, w17, x22
    ldrsw x24, [x3, #4]
    smsubl x5, w6, w20, x5
    add x23, x23, x10, lsl #18
    smsubl x16, w7, w7, x16
    sub x22, x22, x10, lsl #21
    smsubl x19, w12, w9, x19
    add x10, x5, x10, lsl #24
    smsubl x21, w12, w11, x21
    add x24, x24, x4
    smsubl x23, w12, w13, x23
    and x5, x8, #0x1fffffff
    smsubl x22, w12, w15, x22
    add x8, x14, x8, asr #29
    smsubl x10, w12, w17, x10
    add x19, x19, x5, lsl #9
    smsubl x24, w12, w20, x24
    add x22, x22, x5, lsl #18
    smsubl x21, w9, w9, x21
    sub x10, x10, x5, lsl #21
    add x5, x24, x5, lsl #24
    lsl w9, w9, #1
    ldrsw x24, [x3, #8]
    and x12, x8, #0x1fffffff
    smsubl x23, w9, w11, x23
    add x8, x16, x8, asr #29
    smsubl x22, w9, w13, x22
    add x21, x21, x12, lsl #9
    smsubl x10, w9, w15, x10
    add x24, x24, x4
    smsubl x5, w9, w17, x5
    lsl w16, w11, #1
    smsubl x24, w9, w20, x24
    add x10, x10, x12, lsl #18
    smsubl x22, w11, w11, x22
    sub x5, x5, x12, lsl #21
    smsubl x10, w16, w13, x10
    add x12, x24, x12, lsl #24
    smsubl x5, w16, w15, x5
    ldrsw x24, [x3, #12]
    smsubl x12, w16, w17, x12
    and x11, x8, #0x1fffffff
    add x8, x19, x8, asr #29
    lsl w19, w13, #1
    add x24, x24, x4
    add x23, x23, x11, lsl #9
    smsubl x24, w16, w20, x24
    add x5, x5, x11, lsl #18
    smsubl x5, w13, w13, x5
    sub x12, x12, x11, lsl #21
    smsubl x12, w19, w15, x12
    add x11, x24, x11, lsl #24
    smsubl x11, w19, w17, x11
    ldrsw x24, [x3, #16]
    and x13, x8, #0x1fffffff
    add x8, x21, x8, asr #29
    lsl w21, w15, #1
    ldrsw x16, [x3, #20]
    add x24, x24, x4
    add x22, x22, x13, lsl #9
    smsubl x24, w19, w20, x24
    add x12, x12, x13, lsl #18
    sub x11, x11, x13, lsl #21
    and x19, x8, #0x1fffffff
    smsubl x11, w15, w15, x11
    add x13, x24, x13, lsl #24
    smsubl x13, w21, w17, x13
    add x8, x23, x8, asr #29
    add x16, x16, x4
    add x10, x10, x19, lsl #9
    smsubl x16, w21, w20, x16
    add x11, x11, x19, lsl #18
    sub x13, x13, x19, lsl #21
    ldrsw x21, [x3, #24]
    add x19, x16, x19, lsl #24
    and x16, x8, #0x1fffffff
    smsubl x19, w17, w17, x19
    lsl w17, w17, #1
    add x8, x22, x8, asr #29
    add x21, x21, x4
    smsubl x21, w17, w20, x21
    add x5, x5, x16, lsl #9
    add x13, x13, x16, lsl #18
    sub x19, x19, x16, lsl #21
    and x17, x8, #0x1fffffff
    add x8, x10, x8, asr #29
    ldrsw x10, [x3, #28]
    add x16, x21, x16, lsl #24
    add x12, x12, x17, lsl #9
    add x19, x19, x17, lsl #18
    add x5, x5, x8, asr #29
    sub x16, x16, x17, lsl #21
    add x10, x10, x4
    ldrsw x21, [x3, #32]
    smsubl x10, w20, w20, x10
    add x12, x12, x5, asr #29
    and w8, w8, #0x1fffffff
    and w5, w5, #0x1fffffff
    add x17, x10, x17, lsl #24
    sub w8, w8, w4
    add x11, x11, x12, asr #29
    sub w5, w5, w4
    and w12, w12, #0x1fffffff
    and w10, w11, #0x1fffffff
    add x11, x13, x11, asr #29
    sub w12, w12, w4
    sub w10, w10, w4
    and w13, w11, #0x1fffffff
    add x11, x19, x11, asr #29
    sub w13, w13, w4
    and w19, w11, #0x1fffffff
    stp w8, w5, [x0]
    add x11, x16, x11, asr #29
    sub w19, w19, w4
    and w16, w11, #0x1fffffff
    stp w12, w10, [x0, #8]
    add x11, x17, x11, asr #29
    sub w16, w16, w4
    and w17, w11, #0x1fffffff
    stp w13, w19, [x0, #16]
    sub w17, w17, w4
    add x11, x21, x11, asr #29
    stp w16, w17, [x0, #24]
    str w11, [x0, #32]
    ret
    .cfi_endproc

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
