/* Poly1305's products of four blocks at once for 32-bit Arm with NEON, Thumb-2 and A32 (RFC 8439, section 2.5). What
 * it computes: poly1305_multiply_neon.c. How it is made: docs/reference/kernels/chacha20.md. */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_EIGHT_BLOCKS_IN_NEON)

#include "../../common/assembly_arm.h"

    .fpu neon

/* Limbs 0 to 4 of blocks a, b, c and d are in q10, q12, q13, q15 and q14; the five sums in q5 to q9, and when they
 * have been carried limbs in the lower halves of these. Nine factors, or nine of each of two powers as scalars, are
 * in d0 to d8: limbs 0 to 4 of a power of r, then 5 times limbs 1 to 4. d9, and while limbs are made of words q11,
 * are free. In the frame are the factors for the last four blocks. */
#define FRAME_BYTES 144
#define FACTORS_A_B 72

/* A limb times its five factors, to the five sums. */
.macro row operation, limb, factor0, factor1, factor2, factor3, factor4
    \operation q5, \limb, \factor0
    \operation q6, \limb, \factor1
    \operation q7, \limb, \factor2
    \operation q8, \limb, \factor3
    \operation q9, \limb, \factor4
.endm

.macro products operation, limb0, limb1, limb2, limb3, limb4, r0=d0, r1=d1, r2=d2, r3=d3, r4=d4, s1=d5, s2=d6, s3=d7, \
    s4=d8
    row \operation, \limb0, \r0, \r1, \r2, \r3, \r4
    row vmlal.u32, \limb1, \s4, \r0, \r1, \r2, \r3
    row vmlal.u32, \limb2, \s3, \s4, \r0, \r1, \r2
    row vmlal.u32, \limb3, \s2, \s3, \s4, \r0, \r1
    row vmlal.u32, \limb4, \s1, \s2, \s3, \s4, \r0
.endm

/* Sums to limbs: from limb 3 to 4, to 0 and to 1, and from 0 to 1, to 2, to 3 and to 4. All that is carried has at
 * most 32 bits, but 5 times what goes from 4 to 0. Beside it words become limbs (`beside...`). */
.macro carry beside0, beside1, beside2, beside3, beside4, beside5, beside6
    vshrn.u64 d9, q8, #26
    vmovn.i64 d16, q8
    vshrn.u64 d17, q5, #26
    vmovn.i64 d10, q5
    \beside0
    vaddw.u32 q9, q9, d9
    vaddw.u32 q6, q6, d17
    vbic.i32 d16, #0xfc000000
    vbic.i32 d10, #0xfc000000
    \beside1
    vshrn.u64 d9, q9, #26
    vmovn.i64 d18, q9
    vshrn.u64 d11, q6, #26
    vmovn.i64 d12, q6
    \beside2
    \beside3
    vbic.i32 d18, #0xfc000000
    vaddw.u32 q7, q7, d11
    \beside4
    \beside5
    vbic.i32 d12, #0xfc000000
    vshrn.u64 d13, q7, #26
    vmovn.i64 d14, q7
    \beside6
    vshll.u32 q11, d9, #2
    vaddw.u32 q11, q11, d9
    vadd.i32 d16, d16, d13
    vaddw.u32 q11, q11, d10
    vbic.i32 d14, #0xfc000000
    vshr.u32 d9, d16, #26
    vbic.i32 d16, #0xfc000000
    vshrn.u64 d11, q11, #26
    vmovn.i64 d10, q11
    vadd.i32 d18, d18, d9
    vadd.i32 d12, d12, d11
    vbic.i32 d10, #0xfc000000
.endm

/* Five times limbs 1 to 4. */
.macro five_times s1, s2, s3, s4, limb1, limb2, limb3, limb4
    vshl.u32 \s1, \limb1, #2
    vshl.u32 \s2, \limb2, #2
    vshl.u32 \s3, \limb3, #2
    vshl.u32 \s4, \limb4, #2
    vadd.i32 \s1, \s1, \limb1
    vadd.i32 \s2, \s2, \limb2
    vadd.i32 \s3, \s3, \limb3
    vadd.i32 \s4, \s4, \limb4
.endm

.macro factors limb0, limb1, limb2, limb3, limb4
    vmov d0, \limb0
    vmov d1, \limb1
    vmov d2, \limb2
    vmov d3, \limb3
    vmov d4, \limb4
    five_times d5, d6, d7, d8, \limb1, \limb2, \limb3, \limb4
.endm

/* Limbs in d10, d12, d14, d16 and d18 to the frame, as factors. */
.macro keep_factors offset
    five_times d11, d13, d15, d17, d12, d14, d16, d18
    vstr d10, [sp, #\offset]
    vstr d12, [sp, #\offset + 8]
    vstr d14, [sp, #\offset + 16]
    vstr d16, [sp, #\offset + 24]
    vstr d18, [sp, #\offset + 32]
    vstr d11, [sp, #\offset + 40]
    vstr d13, [sp, #\offset + 48]
    vstr d15, [sp, #\offset + 56]
    vstr d17, [sp, #\offset + 64]
.endm

/* Words of a and b, of c and d, each word of all four in a register; q10 to q13. */
.macro load_blocks
    vld4.32 {d20, d22, d24, d26}, [r3]!
    vld4.32 {d21, d23, d25, d27}, [r3]!
.endm

/* void tatu_internal_poly1305_products_4_blocks(uint64_t sums[5], const uint32_t r[5], const uint32_t
 * accumulator[5], const uint8_t *blocks, size_t groups) */
function tatu_internal_poly1305_products_4_blocks
    vpush {d8-d15}
    pushed_d8_to_d15
    ldr r12, [sp, #64]
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    vld1.32 {d20[]}, [r1]!
    vld1.32 {d24[]}, [r1]!
    vld1.32 {d26[]}, [r1]!
    vld1.32 {d30[]}, [r1]!
    vld1.32 {d28[]}, [r1]!
    /* r^2 in both lanes; then r^2 and r, and these times r^2. */
    factors d20, d24, d26, d30, d28
    products vmull.u32, d20, d24, d26, d30, d28
    carry
    factors d10, d12, d14, d16, d18
    vtrn.32 d10, d20
    vtrn.32 d12, d24
    vtrn.32 d14, d26
    vtrn.32 d16, d30
    vtrn.32 d18, d28
    keep_factors 0
    products vmull.u32, d20, d24, d26, d30, d28
    carry
    keep_factors FACTORS_A_B
    /* r^2's factors, and behind them those of r^4. */
    vtrn.32 d0, d1
    vtrn.32 d2, d3
    vtrn.32 d4, d5
    vtrn.32 d6, d7
    vtrn.32 d8, d10
    vtrn.32 d12, d14
    vtrn.32 d16, d18
    vtrn.32 d11, d13
    vtrn.32 d15, d17
    vmov d1, d2
    vmov d2, d4
    vmov d3, d6
    vmov d4, d8
    vmov d5, d12
    vmov d6, d16
    vmov d7, d11
    vmov d8, d15

    load_blocks
    vmov.i32 d10, #0
    vmov.i32 d12, #0
    vmov.i32 d14, #0
    vmov.i32 d16, #0
    vmov.i32 d18, #0
    vld1.32 {d10[0]}, [r2]!
    vld1.32 {d12[0]}, [r2]!
    vld1.32 {d14[0]}, [r2]!
    vld1.32 {d16[0]}, [r2]!
    vld1.32 {d18[0]}, [r2]!
    vshr.u32 q14, q13, #8
    vshr.u32 q15, q12, #14
    vsli.32 q15, q13, #18
    vshr.u32 q13, q11, #20
    vsli.32 q13, q12, #12
    vshr.u32 q12, q10, #26
    vsli.32 q12, q11, #6
    b .Ladd

.Lgroup:
    products vmull.u32, d21, d25, d27, d31, d29, d0[0], d0[1], d1[0], d1[1], d2[0], d2[1], d3[0], d3[1], d4[0]
    products vmlal.u32, d20, d24, d26, d30, d28, d4[1], d5[0], d5[1], d6[0], d6[1], d7[0], d7[1], d8[0], d8[1]
    load_blocks
    carry "vshr.u32 q14, q13, #8", "vshr.u32 q15, q12, #14", "vsli.32 q15, q13, #18", "vshr.u32 q13, q11, #20", \
        "vsli.32 q13, q12, #12", "vshr.u32 q12, q10, #26", "vsli.32 q12, q11, #6"
    /* The accumulator, or its part of each of the two lanes, joins a and b. */
.Ladd:
    vbic.i32 q10, #0xfc000000
    vbic.i32 q12, #0xfc000000
    vbic.i32 q13, #0xfc000000
    vbic.i32 q15, #0xfc000000
    vorr.i32 q14, #0x01000000
    subs r12, r12, #1
    vadd.i32 d20, d20, d10
    vadd.i32 d24, d24, d12
    vadd.i32 d26, d26, d14
    vadd.i32 d30, d30, d16
    vadd.i32 d28, d28, d18
    bne .Lgroup

    mov r1, sp
    vldmia r1!, {d0-d8}
    products vmull.u32, d21, d25, d27, d31, d29
    vldmia r1, {d0-d8}
    products vmlal.u32, d20, d24, d26, d30, d28
    vadd.i64 d10, d10, d11
    vadd.i64 d12, d12, d13
    vadd.i64 d14, d14, d15
    vadd.i64 d16, d16, d17
    vadd.i64 d18, d18, d19
    vst1.32 {d10}, [r0]!
    vst1.32 {d12}, [r0]!
    vst1.32 {d14}, [r0]!
    vst1.32 {d16}, [r0]!
    vst1.32 {d18}, [r0]!

    /* Powers of r leave the stack. */
    vmov.i32 q0, #0
    vmov.i32 q1, #0
    vmov.i32 q2, #0
    mov r1, sp
    vstmia r1!, {d0-d5}
    vstmia r1!, {d0-d5}
    vstmia r1!, {d0-d5}
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    vpop {d8-d15}
    popped_d8_to_d15
    bx lr
end_function tatu_internal_poly1305_products_4_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
