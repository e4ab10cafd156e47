/* Poly1305's products of four blocks at once for AArch64 (RFC 8439, section 2.5). What it computes:
 * poly1305_multiply_neon.c. How it is made: docs/reference/kernels/chacha20.md. */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_EIGHT_BLOCKS_IN_AARCH64)

#include "../../common/assembly_aarch64.h"

/* Limbs 0 to 4 of blocks a, b, c and d are in v21 to v25, words of blocks before that in v26 to v29; the five sums
 * in v16 to v20, and when they have been carried limbs. Nine factors are in v0 to v8: limbs 0 to 4 of a power of r,
 * then 5 times limbs 1 to 4. On the stack are d8 and the factors for the last four blocks. */
#define FRAME_BYTES 160
#define LAST_FACTORS 16

/* A limb times its five factors, to the five sums: of a and b, or of c and d ("2"). */
.macro row operation, limb, lanes, factor0, factor1, factor2, factor3, factor4
    \operation v16.2d, v\limb\().\lanes, v\factor0\().\lanes
    \operation v17.2d, v\limb\().\lanes, v\factor1\().\lanes
    \operation v18.2d, v\limb\().\lanes, v\factor2\().\lanes
    \operation v19.2d, v\limb\().\lanes, v\factor3\().\lanes
    \operation v20.2d, v\limb\().\lanes, v\factor4\().\lanes
.endm

.macro products first, others, lanes
    row \first, 21, \lanes, 0, 1, 2, 3, 4
    row \others, 22, \lanes, 8, 0, 1, 2, 3
    row \others, 23, \lanes, 7, 8, 0, 1, 2
    row \others, 24, \lanes, 6, 7, 8, 0, 1
    row \others, 25, \lanes, 5, 6, 7, 8, 0
.endm

/* Sums to limbs: from limb 3 to 4, to 0 and to 1, and from 0 to 1, to 2, to 3 and to 4. All that is carried has at
 * most 32 bits, but 5 times what goes from 4 to 0. Beside it words become limbs (`beside...`). */
.macro carry beside0, beside1, beside2, beside3, beside4, beside5, beside6, beside7
    shrn v30.2s, v19.2d, #26
    shrn v31.2s, v16.2d, #26
    xtn v19.2s, v19.2d
    xtn v16.2s, v16.2d
    \beside0
    uaddw v20.2d, v20.2d, v30.2s
    uaddw v17.2d, v17.2d, v31.2s
    bic v19.2s, #0xfc, lsl #24
    bic v16.2s, #0xfc, lsl #24
    shrn v30.2s, v20.2d, #26
    shrn v31.2s, v17.2d, #26
    \beside1
    xtn v20.2s, v20.2d
    xtn v17.2s, v17.2d
    ushll v26.2d, v30.2s, #2
    uaddw v18.2d, v18.2d, v31.2s
    \beside2
    uaddw v26.2d, v26.2d, v30.2s
    bic v20.2s, #0xfc, lsl #24
    bic v17.2s, #0xfc, lsl #24
    shrn v31.2s, v18.2d, #26
    xtn v18.2s, v18.2d
    uaddw v26.2d, v26.2d, v16.2s
    \beside3
    add v19.2s, v19.2s, v31.2s
    bic v18.2s, #0xfc, lsl #24
    \beside4
    shrn v30.2s, v26.2d, #26
    xtn v16.2s, v26.2d
    ushr v31.2s, v19.2s, #26
    bic v19.2s, #0xfc, lsl #24
    \beside5
    add v17.2s, v17.2s, v30.2s
    bic v16.2s, #0xfc, lsl #24
    \beside6
    add v20.2s, v20.2s, v31.2s
    \beside7
.endm

/* Five times limbs 1 to 4. */
.macro five_times s1, s2, s3, s4, limb1, limb2, limb3, limb4
    shl v\s1\().4s, v\limb1\().4s, #2
    shl v\s2\().4s, v\limb2\().4s, #2
    shl v\s3\().4s, v\limb3\().4s, #2
    shl v\s4\().4s, v\limb4\().4s, #2
    add v\s1\().4s, v\s1\().4s, v\limb1\().4s
    add v\s2\().4s, v\s2\().4s, v\limb2\().4s
    add v\s3\().4s, v\s3\().4s, v\limb3\().4s
    add v\s4\().4s, v\s4\().4s, v\limb4\().4s
.endm

.macro factors limb0, limb1, limb2, limb3, limb4
    mov v0.16b, v\limb0\().16b
    mov v1.16b, v\limb1\().16b
    mov v2.16b, v\limb2\().16b
    mov v3.16b, v\limb3\().16b
    mov v4.16b, v\limb4\().16b
    five_times 5, 6, 7, 8, \limb1, \limb2, \limb3, \limb4
.endm

/* void tatu_internal_poly1305_products_4_blocks(uint64_t sums[5], const uint32_t r[5], const uint32_t
 * accumulator[5], const uint8_t *blocks, size_t groups) */
    .section .text.tatu_internal_poly1305_products_4_blocks, "ax", %progbits
    .global tatu_internal_poly1305_products_4_blocks
    .hidden tatu_internal_poly1305_products_4_blocks
    .type tatu_internal_poly1305_products_4_blocks, %function
    .balign 16
tatu_internal_poly1305_products_4_blocks:
    .cfi_startproc
    enter
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str d8, [sp]
    .cfi_rel_offset d8, 0
    ld1r {v21.4s}, [x1], #4
    ld1r {v22.4s}, [x1], #4
    ld1r {v23.4s}, [x1], #4
    ld1r {v24.4s}, [x1], #4
    ld1r {v25.4s}, [x1]
    /* r^2 in both lanes; then r^2 and r, and these times r^2. */
    factors 21, 22, 23, 24, 25
    products umull, umlal, 2s
    carry
    factors 16, 17, 18, 19, 20
    trn1 v21.2s, v16.2s, v21.2s
    trn1 v22.2s, v17.2s, v22.2s
    trn1 v23.2s, v18.2s, v23.2s
    trn1 v24.2s, v19.2s, v24.2s
    trn1 v25.2s, v20.2s, v25.2s
    products umull, umlal, 2s
    carry
    /* r^4, r^3, r^2 and r for the last a, b, c and d; r^4 and r^2 twice for all others. */
    mov v16.d[1], v21.d[0]
    mov v17.d[1], v22.d[0]
    mov v18.d[1], v23.d[0]
    mov v19.d[1], v24.d[0]
    mov v20.d[1], v25.d[0]
    five_times 26, 27, 28, 29, 17, 18, 19, 20
    add x1, sp, #LAST_FACTORS
    st1 {v16.4s-v19.4s}, [x1], #64
    st1 {v20.4s}, [x1], #16
    st1 {v26.4s-v29.4s}, [x1]
    trn1 v0.4s, v16.4s, v16.4s
    trn1 v1.4s, v17.4s, v17.4s
    trn1 v2.4s, v18.4s, v18.4s
    trn1 v3.4s, v19.4s, v19.4s
    trn1 v4.4s, v20.4s, v20.4s
    trn1 v5.4s, v26.4s, v26.4s
    trn1 v6.4s, v27.4s, v27.4s
    trn1 v7.4s, v28.4s, v28.4s
    trn1 v8.4s, v29.4s, v29.4s

    ld4 {v26.4s-v29.4s}, [x3], #64
    ldp s16, s17, [x2]
    ldp s18, s19, [x2, #8]
    ldr s20, [x2, #16]
    ushr v22.4s, v26.4s, #26
    mov v21.16b, v26.16b
    ushr v23.4s, v27.4s, #20
    ushr v24.4s, v28.4s, #14
    ushr v25.4s, v29.4s, #8
    sli v22.4s, v27.4s, #6
    sli v23.4s, v28.4s, #12
    sli v24.4s, v29.4s, #18
    b .Ladd

.Lgroup:
    products umull2, umlal2, 4s
    products umlal, umlal, 2s
    ld4 {v26.4s-v29.4s}, [x3], #64
    carry "mov v21.16b, v26.16b", "ushr v22.4s, v26.4s, #26", "ushr v23.4s, v27.4s, #20", "ushr v24.4s, v28.4s, #14", \
        "ushr v25.4s, v29.4s, #8", "sli v22.4s, v27.4s, #6", "sli v23.4s, v28.4s, #12", "sli v24.4s, v29.4s, #18"
    /* The accumulator, or its part of each of the two lanes, joins a and b. */
.Ladd:
    bic v21.4s, #0xfc, lsl #24
    bic v22.4s, #0xfc, lsl #24
    bic v23.4s, #0xfc, lsl #24
    bic v24.4s, #0xfc, lsl #24
    orr v25.4s, #1, lsl #24
    add v21.4s, v21.4s, v16.4s
    add v22.4s, v22.4s, v17.4s
    add v23.4s, v23.4s, v18.4s
    add v24.4s, v24.4s, v19.4s
    subs x4, x4, #1
    add v25.4s, v25.4s, v20.4s
    b.ne .Lgroup

    add x1, sp, #LAST_FACTORS
    ld1 {v0.4s-v3.4s}, [x1], #64
    ld1 {v4.4s-v7.4s}, [x1], #64
    ld1 {v8.4s}, [x1]
    products umull2, umlal2, 4s
    products umlal, umlal, 2s
    addp d16, v16.2d
    addp d17, v17.2d
    addp d18, v18.2d
    addp d19, v19.2d
    addp d20, v20.2d
    stp d16, d17, [x0]
    stp d18, d19, [x0, #16]
    str d20, [x0, #32]
    ldr d8, [sp]
    .cfi_restore d8
    /* Powers of r leave the stack. */
    movi v0.4s, #0
    stp q0, q0, [sp, #LAST_FACTORS]
    stp q0, q0, [sp, #LAST_FACTORS + 32]
    stp q0, q0, [sp, #LAST_FACTORS + 64]
    stp q0, q0, [sp, #LAST_FACTORS + 96]
    str q0, [sp, #LAST_FACTORS + 128]
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -FRAME_BYTES
    leave
    .cfi_endproc
    .size tatu_internal_poly1305_products_4_blocks, . - tatu_internal_poly1305_products_4_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
