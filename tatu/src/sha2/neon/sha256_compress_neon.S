/* SHA-256's compression function for AArch32 with NEON (FIPS 180-4, section 6.2.2); the C twin is sha256_compress.c.
 *
 *     void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);
 *     void tatu_internal_sha256_compress_blocks(struct tatu_sha256 *hash, const uint8_t *blocks, size_t count);
 *
 * NEON makes the message schedule, four words at a time, adds the round constants and leaves the sums on the stack;
 * the integer registers make the rounds. Four rounds take about as many instructions as four words, so that they
 * take turns. The last 16 rounds need no words any more: beside them the next block is loaded, if there is one.
 *
 *   r4..r11         a..h. A round makes the new a in place of h and the new e in place of d: the names move, no word
 *                   does.
 *   u, v            u is b ^ c, which the round before made as its a ^ b; v becomes the next round's u
 *   t0, t1, x       temporaries
 *   k               walks the round constants
 *   q0..q3          the last 16 words of the schedule
 *   sp              16 sums of a word and its constant; behind them the three parameters
 *
 * How the cycles are spent: docs/reference/kernels/sha256.md. */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_NEON)

#include "../../common/assembly_address_arm.h"
#include "../../common/assembly_frames_arm.h"

    .syntax unified
    .fpu neon
    .arm

    t0 .req r0
    t1 .req r1
    x .req r12
    k .req lr

#define SUMS_BYTES 64
#define HASH SUMS_BYTES
#define BLOCKS (SUMS_BYTES + 4)
#define COUNT (SUMS_BYTES + 8)

    .section .rodata.tatu_internal_sha256_round_constants,"a",%progbits
    .balign 256 /* so that the end is where the low byte of the address is 0 */
/* Section 4.2.2 */
round_constants:
    .long 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
    .long 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
    .long 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
    .long 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
    .long 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
    .long 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
    .long 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
    .long 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

/* Section 6.2.2, step 3, with places for eight of NEON's instructions. Sums of rotations are nested, so that the
 * last rotation is the addition's. Maj = ((a ^ b) & (b ^ c)) ^ b. */
.macro round i, a, b, c, d, e, f, g, h, u, v, n0, n1, n2, n3, n4, n5, n6, n7
    ldr x, [sp, #4 * (\i)]
    eor t0, \e, \e, ror #5
    \n0
    and t1, \e, \f
    eor t0, t0, \e, ror #19
    \n1
    add \h, \h, x
    bic x, \g, \e
    \n2
    add \h, \h, t1
    eor \v, \a, \b
    \n3
    add \h, \h, x
    eor t1, \a, \a, ror #11
    \n4
    add \h, \h, t0, ror #6
    and \u, \u, \v
    \n5
    eor t1, t1, \a, ror #20
    add \d, \d, \h
    \n6
    eor \u, \u, \b
    add \h, \h, t1, ror #2
    \n7
    add \h, \h, \u
.endm

/* Rounds i to i+3, and the four words that replace w0: sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16] (step 1).
 * w0 to w12 are the words from W[t-16], W[t-12], W[t-8] and W[t-4] on; their names end in l and h for halves. A
 * rotation is a shift left to which what a shift right gives is added: VSRI of 128 bits takes two cycles of a
 * Cortex-A8, VSRA one. The last two words need the first two. */
.macro four_rounds i, a, b, c, d, e, f, g, h, w0, w0l, w0h, w4, w8, w12, w12h
    round \i, \a, \b, \c, \d, \e, \f, \g, \h, r2, r3, \
        "vext.8 q8, \w0, \w4, #4", \
        "vext.8 q9, \w8, \w12, #4", \
        "vshl.i32 d26, \w12h, #15", \
        "vshl.i32 q10, q8, #25", \
        "vshr.u32 q11, q8, #3", \
        "vshl.i32 q12, q8, #14", \
        "vsra.u32 d26, \w12h, #17", \
        "vshl.i32 d27, \w12h, #13"
    round (\i + 1), \h, \a, \b, \c, \d, \e, \f, \g, r3, r2, \
        "vsra.u32 q10, q8, #7", \
        "vsra.u32 d27, \w12h, #19", \
        "vsra.u32 q12, q8, #18", \
        "vadd.i32 \w0, \w0, q9", \
        "vshr.u32 d28, \w12h, #10", \
        "veor q10, q10, q11", \
        "veor d26, d26, d27", \
        "veor q10, q10, q12"
    round (\i + 2), \g, \h, \a, \b, \c, \d, \e, \f, r2, r3, \
        "veor d26, d26, d28", \
        "vadd.i32 \w0, \w0, q10", \
        "vld1.32 {q15}, [k, :128]!", \
        "vadd.i32 \w0l, \w0l, d26", \
        , \
        "vshl.i32 d26, \w0l, #15", \
        "vshl.i32 d27, \w0l, #13", \
        "vshr.u32 d28, \w0l, #10"
    round (\i + 3), \f, \g, \h, \a, \b, \c, \d, \e, r3, r2, \
        "vsra.u32 d26, \w0l, #17", \
        "vsra.u32 d27, \w0l, #19", \
        , \
        "veor d26, d26, d28", \
        , \
        "veor d26, d26, d27", \
        , \
        "vadd.i32 \w0h, \w0h, d26"
    add x, sp, #4 * \i
    vadd.i32 q15, q15, \w0
    vst1.32 {q15}, [x]
.endm

/* Rounds i to i+3 of the last 16, and the sums of the next block's words in \w, which take the place of those used. */
.macro four_last_rounds i, a, b, c, d, e, f, g, h, w
    round \i, \a, \b, \c, \d, \e, \f, \g, \h, r2, r3, , "vrev32.8 \w, \w"
    round (\i + 1), \h, \a, \b, \c, \d, \e, \f, \g, r3, r2, , "vld1.32 {q15}, [k, :128]!"
    round (\i + 2), \g, \h, \a, \b, \c, \d, \e, \f, r2, r3
    round (\i + 3), \f, \g, \h, \a, \b, \c, \d, \e, r3, r2, , "vadd.i32 q15, q15, \w"
    add x, sp, #4 * \i
    vst1.32 {q15}, [x]
.endm

.macro two_last_rounds i, a, b, c, d, e, f, g, h
    round \i, \a, \b, \c, \d, \e, \f, \g, \h, r2, r3
    round (\i + 1), \h, \a, \b, \c, \d, \e, \f, \g, r3, r2
.endm

/* Section 6.2.2, step 4; r4 to r11 stay. */
.macro add_to_state
    ldr r12, [sp, #HASH]
    ldm r12, {r0-r3}
    add r4, r4, r0
    add r5, r5, r1
    add r6, r6, r2
    add r7, r7, r3
    stm r12!, {r4-r7}
    ldm r12, {r0-r3}
    add r8, r8, r0
    add r9, r9, r1
    add r10, r10, r2
    add r11, r11, r3
    stm r12, {r8-r11}
.endm

    .section .text.tatu_internal_sha256_compress,"ax",%progbits
    .balign 16
    .global tatu_internal_sha256_compress
    .hidden tatu_internal_sha256_compress
    .global tatu_internal_sha256_compress_blocks
    .hidden tatu_internal_sha256_compress_blocks
    .type tatu_internal_sha256_compress, %function
    .type tatu_internal_sha256_compress_blocks, %function
tatu_internal_sha256_compress:
    .cfi_startproc
    mov r2, #1
tatu_internal_sha256_compress_blocks:
    push {r0-r2, r4-r11, lr}
    pushed_r4_to_lr 48
    sub sp, sp, #SUMS_BYTES
    .cfi_adjust_cfa_offset SUMS_BYTES
    load_address k, round_constants, 8
    mov x, sp
    vld1.8 {q0, q1}, [r1]!
    vld1.8 {q2, q3}, [r1]
    vld1.32 {q8, q9}, [k, :128]!
    vld1.32 {q10, q11}, [k, :128]!
    ldm r0, {r4-r11}
    vrev32.8 q0, q0
    vrev32.8 q1, q1
    vrev32.8 q2, q2
    vrev32.8 q3, q3
    vadd.i32 q8, q8, q0
    vadd.i32 q9, q9, q1
    vadd.i32 q10, q10, q2
    vadd.i32 q11, q11, q3
    vst1.32 {q8, q9}, [x]!
    vst1.32 {q10, q11}, [x]
    eor r2, r5, r6
    .balign 16
rounds:
    four_rounds 0, r4, r5, r6, r7, r8, r9, r10, r11, q0, d0, d1, q1, q2, q3, d7
    four_rounds 4, r8, r9, r10, r11, r4, r5, r6, r7, q1, d2, d3, q2, q3, q0, d1
    four_rounds 8, r4, r5, r6, r7, r8, r9, r10, r11, q2, d4, d5, q3, q0, q1, d3
    four_rounds 12, r8, r9, r10, r11, r4, r5, r6, r7, q3, d6, d7, q0, q1, q2, d5
    tst k, #0xff
    bne rounds
    ldr x, [sp, #COUNT]
    ldr t0, [sp, #BLOCKS]
    subs x, x, #1
    beq last_block
    str x, [sp, #COUNT]
    add t0, t0, #64
    str t0, [sp, #BLOCKS]
    vld1.8 {q0, q1}, [t0]!
    sub k, k, #256
    vld1.8 {q2, q3}, [t0]
    four_last_rounds 0, r4, r5, r6, r7, r8, r9, r10, r11, q0
    four_last_rounds 4, r8, r9, r10, r11, r4, r5, r6, r7, q1
    four_last_rounds 8, r4, r5, r6, r7, r8, r9, r10, r11, q2
    four_last_rounds 12, r8, r9, r10, r11, r4, r5, r6, r7, q3
    add_to_state
    eor r2, r5, r6
    b rounds
    address_constant round_constants

last_block:
    .irpc half, 08
    two_last_rounds 0x\half, r4, r5, r6, r7, r8, r9, r10, r11
    two_last_rounds 0x\half + 2, r10, r11, r4, r5, r6, r7, r8, r9
    two_last_rounds 0x\half + 4, r8, r9, r10, r11, r4, r5, r6, r7
    two_last_rounds 0x\half + 6, r6, r7, r8, r9, r10, r11, r4, r5
    .endr
    vmov.i32 q8, #0
    vmov.i32 q9, #0
    add_to_state
    mov r0, sp
    vst1.32 {q8, q9}, [r0]! /* the sums reveal the message, so they are wiped */
    vst1.32 {q8, q9}, [r0]
    add sp, sp, #SUMS_BYTES + 12
    .cfi_adjust_cfa_offset -(SUMS_BYTES + 12)
    pop {r4-r11, lr}
    .cfi_adjust_cfa_offset -36
    .cfi_restore r4
    .cfi_restore r5
    .cfi_restore r6
    .cfi_restore r7
    .cfi_restore r8
    .cfi_restore r9
    .cfi_restore r10
    .cfi_restore r11
    .cfi_restore lr
    bx lr
    .cfi_endproc
    .size tatu_internal_sha256_compress_blocks, . - tatu_internal_sha256_compress_blocks
    .size tatu_internal_sha256_compress, . - tatu_internal_sha256_compress

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
