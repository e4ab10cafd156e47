/* SHA-256's compression function for AArch32 with NEON (FIPS 180-4, section 6.2.2); the C twin is sha256_compress.c.
 *
 *     void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);
 *     void tatu_internal_sha256_compress_blocks(struct tatu_sha256 *hash, const uint8_t *blocks, size_t count);
 *
 * NEON makes the message schedule, four words at a time, adds the round constants and leaves the sums on the stack;
 * the integer registers make the rounds. The instructions of both alternate. The last 16 rounds need no words any more:
 * beside them the next block is loaded, if there is one.
 *
 *   r4..r11         a..h. A round makes the new a in place of h and the new e in place of d: the names move, no word
 *                   does.
 *   r2, r3          one is b ^ c, which the round before made as its a ^ b; the other becomes the next round's
 *   t0, t1, x       temporaries
 *   k               walks the round constants; beside the last four rounds it is the address of the state
 *   q0..q3          the last 16 words of the schedule
 *   sp              16 sums of a word and its constant; behind them four addresses
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
#define HASH (SUMS_BYTES + 4)
#define NEXT (SUMS_BYTES + 8) /* where the next block is */
#define END (SUMS_BYTES + 12)
#define SECOND_CONSTANTS (SUMS_BYTES + 16) /* where the constants of the rounds from 16 on are */

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

/* The orders of the instructions below were searched for, so that a Cortex-A8 issues two in nearly every cycle. Beside
 * each stands what it is for: the number of the round, and the part of it (section 6.2.2, step 3); "words" and "sums"
 * are the message schedule's. Sums of rotations are nested, so that the last rotation is the addition's.
 * Maj = ((a ^ b) & (b ^ c)) ^ b. */

/* Rounds i to i+3, and the four words that replace w0: sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16] (step 1).
 * w0 to w12 are the words from W[t-16], W[t-12], W[t-8] and W[t-4] on; their names end in l and h for halves. A
 * rotation is a shift left to which what a shift right gives is added: VSRI of 128 bits takes two cycles of a
 * Cortex-A8, VSRA one. The last two words need the first two. */
.macro four_rounds i, a, b, c, d, e, f, g, h, w0, w0l, w0h, w4, w8, w12, w12h
    vext.8 q8, \w0, \w4, #4                 /* words */
    and t1, \e, \f                          /* 0: Ch */
    vext.8 q9, \w8, \w12, #4                /* words */
    ldr x, [sp, #4 * (\i)]                  /* 0: word */
    vshl.i32 q12, q8, #14                   /* words */
    eor t0, \e, \e, ror #5                  /* 0: Sigma1 */
    vshr.u32 q11, q8, #3                    /* words */
    eor t0, t0, \e, ror #19                 /* 0: Sigma1 */
    vshl.i32 q10, q8, #25                   /* words */
    add \h, \h, x                           /* 0: word */
    vshl.i32 d27, \w12h, #13                /* words */
    vshl.i32 d26, \w12h, #15                /* words */
    vsra.u32 q12, q8, #18                   /* words */
    eor r3, \a, \b                          /* 0: Maj */
    bic x, \g, \e                           /* 0: Ch */
    vsra.u32 d26, \w12h, #17                /* words */
    and r2, r2, r3                          /* 0: Maj */
    add \h, \h, t1                          /* 0: Ch */
    vadd.i32 \w0, \w0, q9                   /* words */
    add \h, \h, x                           /* 0: Ch */
    vsra.u32 q10, q8, #7                    /* words */
    eor t1, \a, \a, ror #11                 /* 0: Sigma0 */
    ldr x, [sp, #4 * (\i + 1)]              /* 1: word */
    eor t1, t1, \a, ror #20                 /* 0: Sigma0 */
    vsra.u32 d27, \w12h, #19                /* words */
    add \h, \h, t0, ror #6                  /* 0: Sigma1 */
    eor r2, r2, \b                          /* 0: Maj */
    vshr.u32 d28, \w12h, #10                /* words */
    veor q10, q10, q11                      /* words */
    add \d, \d, \h                          /* 0: d */
    add \h, \h, t1, ror #2                  /* 0: Sigma0 */
    and t1, \d, \e                          /* 1: Ch */
    veor d26, d26, d27                      /* words */
    eor t0, \d, \d, ror #5                  /* 1: Sigma1 */
    add \g, \g, x                           /* 1: word */
    add \h, \h, r2                          /* 0: Maj */
    bic x, \f, \d                           /* 1: Ch */
    veor d26, d26, d28                      /* words */
    veor q10, q10, q12                      /* words */
    eor t0, t0, \d, ror #19                 /* 1: Sigma1 */
    add \g, \g, t1                          /* 1: Ch */
    eor r2, \h, \a                          /* 1: Maj */
    vadd.i32 \w0, \w0, q10                  /* words */
    add \g, \g, x                           /* 1: Ch */
    ldr x, [sp, #4 * (\i + 2)]              /* 2: word */
    add \g, \g, t0, ror #6                  /* 1: Sigma1 */
    eor t1, \h, \h, ror #11                 /* 1: Sigma0 */
    vadd.i32 \w0l, \w0l, d26                /* words */
    eor t1, t1, \h, ror #20                 /* 1: Sigma0 */
    add \f, \f, x                           /* 2: word */
    add \c, \c, \g                          /* 1: d */
    and r3, r3, r2                          /* 1: Maj */
    vshl.i32 d26, \w0l, #15                 /* words */
    add \g, \g, t1, ror #2                  /* 1: Sigma0 */
    eor r3, r3, \a                          /* 1: Maj */
    and t1, \c, \d                          /* 2: Ch */
    vsra.u32 d26, \w0l, #17                 /* words */
    add \g, \g, r3                          /* 1: Maj */
    eor t0, \c, \c, ror #5                  /* 2: Sigma1 */
    bic x, \e, \c                           /* 2: Ch */
    add \f, \f, t1                          /* 2: Ch */
    vshr.u32 d28, \w0l, #10                 /* words */
    add \f, \f, x                           /* 2: Ch */
    eor t0, t0, \c, ror #19                 /* 2: Sigma1 */
    eor r3, \g, \h                          /* 2: Maj */
    vshl.i32 d27, \w0l, #13                 /* words */
    ldr x, [sp, #4 * (\i + 3)]              /* 3: word */
    and r2, r2, r3                          /* 2: Maj */
    eor t1, \g, \g, ror #11                 /* 2: Sigma0 */
    eor r2, r2, \h                          /* 2: Maj */
    add \f, \f, t0, ror #6                  /* 2: Sigma1 */
    add \e, \e, x                           /* 3: word */
    eor t1, t1, \g, ror #20                 /* 2: Sigma0 */
    add \b, \b, \f                          /* 2: d */
    vsra.u32 d27, \w0l, #19                 /* words */
    veor d26, d26, d28                      /* words */
    add \f, \f, t1, ror #2                  /* 2: Sigma0 */
    eor t0, \b, \b, ror #5                  /* 3: Sigma1 */
    vld1.32 {q15}, [k, :128]!               /* sums */
    add \f, \f, r2                          /* 2: Maj */
    bic x, \d, \b                           /* 3: Ch */
    veor d26, d26, d27                      /* words */
    and t1, \b, \c                          /* 3: Ch */
    eor r2, \f, \g                          /* 3: Maj */
    add \e, \e, t1                          /* 3: Ch */
    eor t0, t0, \b, ror #19                 /* 3: Sigma1 */
    eor t1, \f, \f, ror #11                 /* 3: Sigma0 */
    add \e, \e, x                           /* 3: Ch */
    vadd.i32 \w0h, \w0h, d26                /* words */
    and r3, r3, r2                          /* 3: Maj */
    add x, sp, #4 * (\i)                    /* sums */
    eor r3, r3, \g                          /* 3: Maj */
    eor t1, t1, \f, ror #20                 /* 3: Sigma0 */
    add \e, \e, t0, ror #6                  /* 3: Sigma1 */
    vadd.i32 q15, q15, \w0                  /* sums */
    add \a, \a, \e                          /* 3: d */
    add \e, \e, t1, ror #2                  /* 3: Sigma0 */
    vst1.32 {q15}, [x]                      /* sums */
    add \e, \e, r3                          /* 3: Maj */
.endm

/* An instruction for the next block, whose words are \w; none if there is no next block. */
.macro next w, instruction:vararg
    .ifnb \w
    \instruction
    .endif
.endm

/* Rounds i to i+3 of the last 16, and the sums of the next block's words in \w, which take the place of those used. */
.macro four_last_rounds i, a, b, c, d, e, f, g, h, w
    and t1, \e, \f                          /* 0: Ch */
    ldr x, [sp, #4 * (\i)]                  /* 0: word */
    eor t0, \e, \e, ror #5                  /* 0: Sigma1 */
    next \w, vld1.32 {q15}, [k, :128]!      /* sums */
    eor r3, \a, \b                          /* 0: Maj */
    and r2, r2, r3                          /* 0: Maj */
    add \h, \h, x                           /* 0: word */
    add \h, \h, t1                          /* 0: Ch */
    bic x, \g, \e                           /* 0: Ch */
    eor t0, t0, \e, ror #19                 /* 0: Sigma1 */
    add \h, \h, x                           /* 0: Ch */
    next \w, vrev32.8 \w, \w                /* words */
    eor t1, \a, \a, ror #11                 /* 0: Sigma0 */
    add \h, \h, t0, ror #6                  /* 0: Sigma1 */
    eor t1, t1, \a, ror #20                 /* 0: Sigma0 */
    add \d, \d, \h                          /* 0: d */
    ldr x, [sp, #4 * (\i + 1)]              /* 1: word */
    eor r2, r2, \b                          /* 0: Maj */
    add \h, \h, t1, ror #2                  /* 0: Sigma0 */
    add \h, \h, r2                          /* 0: Maj */
    and t1, \d, \e                          /* 1: Ch */
    eor r2, \h, \a                          /* 1: Maj */
    eor t0, \d, \d, ror #5                  /* 1: Sigma1 */
    eor t0, t0, \d, ror #19                 /* 1: Sigma1 */
    add \g, \g, x                           /* 1: word */
    add \g, \g, t1                          /* 1: Ch */
    bic x, \f, \d                           /* 1: Ch */
    add \g, \g, x                           /* 1: Ch */
    eor t1, \h, \h, ror #11                 /* 1: Sigma0 */
    add \g, \g, t0, ror #6                  /* 1: Sigma1 */
    and r3, r3, r2                          /* 1: Maj */
    eor t1, t1, \h, ror #20                 /* 1: Sigma0 */
    add \c, \c, \g                          /* 1: d */
    eor r3, r3, \a                          /* 1: Maj */
    ldr x, [sp, #4 * (\i + 2)]              /* 2: word */
    eor t0, \c, \c, ror #5                  /* 2: Sigma1 */
    add \g, \g, t1, ror #2                  /* 1: Sigma0 */
    add \g, \g, r3                          /* 1: Maj */
    and t1, \c, \d                          /* 2: Ch */
    add \f, \f, x                           /* 2: word */
    eor t0, t0, \c, ror #19                 /* 2: Sigma1 */
    bic x, \e, \c                           /* 2: Ch */
    add \f, \f, t1                          /* 2: Ch */
    add \f, \f, x                           /* 2: Ch */
    ldr x, [sp, #4 * (\i + 3)]              /* 3: word */
    eor t1, \g, \g, ror #11                 /* 2: Sigma0 */
    add \f, \f, t0, ror #6                  /* 2: Sigma1 */
    eor t1, t1, \g, ror #20                 /* 2: Sigma0 */
    add \b, \b, \f                          /* 2: d */
    eor r3, \g, \h                          /* 2: Maj */
    add \e, \e, x                           /* 3: word */
    add \f, \f, t1, ror #2                  /* 2: Sigma0 */
    and r2, r2, r3                          /* 2: Maj */
    eor t0, \b, \b, ror #5                  /* 3: Sigma1 */
    eor r2, r2, \h                          /* 2: Maj */
    add \f, \f, r2                          /* 2: Maj */
    and t1, \b, \c                          /* 3: Ch */
    eor t0, t0, \b, ror #19                 /* 3: Sigma1 */
    eor r2, \f, \g                          /* 3: Maj */
    add \e, \e, t1                          /* 3: Ch */
    bic x, \d, \b                           /* 3: Ch */
    add \e, \e, x                           /* 3: Ch */
    next \w, add x, sp, #4 * (\i)           /* sums */
    add \e, \e, t0, ror #6                  /* 3: Sigma1 */
    eor t1, \f, \f, ror #11                 /* 3: Sigma0 */
    next \w, vadd.i32 q15, q15, \w          /* sums */
    eor t1, t1, \f, ror #20                 /* 3: Sigma0 */
    and r3, r3, r2                          /* 3: Maj */
    add \a, \a, \e                          /* 3: d */
    next \w, vst1.32 {q15}, [x]             /* sums */
    eor r3, r3, \g                          /* 3: Maj */
    add \e, \e, t1, ror #2                  /* 3: Sigma0 */
    add \e, \e, r3                          /* 3: Maj */
.endm

/* The same, and all eight words added to the state (section 6.2.2, step 4). */
.macro four_last_rounds_and_state i, a, b, c, d, e, f, g, h, w
    ldr x, [sp, #4 * (\i)]                  /* 0: word */
    and t1, \e, \f                          /* 0: Ch */
    eor t0, \e, \e, ror #5                  /* 0: Sigma1 */
    add \h, \h, x                           /* 0: word */
    bic x, \g, \e                           /* 0: Ch */
    add \h, \h, t1                          /* 0: Ch */
    eor t0, t0, \e, ror #19                 /* 0: Sigma1 */
    next \w, vrev32.8 \w, \w                /* words */
    eor t1, \a, \a, ror #11                 /* 0: Sigma0 */
    eor t1, t1, \a, ror #20                 /* 0: Sigma0 */
    add \h, \h, x                           /* 0: Ch */
    add \h, \h, t0, ror #6                  /* 0: Sigma1 */
    eor r3, \a, \b                          /* 0: Maj */
    ldr x, [sp, #4 * (\i + 1)]              /* 1: word */
    add \d, \d, \h                          /* 0: d */
    add \h, \h, t1, ror #2                  /* 0: Sigma0 */
    and r2, r2, r3                          /* 0: Maj */
    eor r2, r2, \b                          /* 0: Maj */
    add \g, \g, x                           /* 1: word */
    bic x, \f, \d                           /* 1: Ch */
    and t1, \d, \e                          /* 1: Ch */
    add \h, \h, r2                          /* 0: Maj */
    eor t0, \d, \d, ror #5                  /* 1: Sigma1 */
    add \g, \g, t1                          /* 1: Ch */
    eor t0, t0, \d, ror #19                 /* 1: Sigma1 */
    add \g, \g, x                           /* 1: Ch */
    ldr x, [sp, #4 * (\i + 2)]              /* 2: word */
    next \w, vld1.32 {q15}, [k, :128]!      /* sums */
    add \g, \g, t0, ror #6                  /* 1: Sigma1 */
    add \f, \f, x                           /* 2: word */
    add \c, \c, \g                          /* 1: d */
    eor t1, \h, \h, ror #11                 /* 1: Sigma0 */
    eor r2, \h, \a                          /* 1: Maj */
    eor t1, t1, \h, ror #20                 /* 1: Sigma0 */
    and r3, r3, r2                          /* 1: Maj */
    eor t0, \c, \c, ror #5                  /* 2: Sigma1 */
    ldr k, [sp, #HASH]                      /* state */
    add \g, \g, t1, ror #2                  /* 1: Sigma0 */
    eor r3, r3, \a                          /* 1: Maj */
    next \w, vadd.i32 q15, q15, \w          /* sums */
    add \g, \g, r3                          /* 1: Maj */
    bic x, \e, \c                           /* 2: Ch */
    and t1, \c, \d                          /* 2: Ch */
    add \f, \f, t1                          /* 2: Ch */
    eor t1, \g, \g, ror #11                 /* 2: Sigma0 */
    add \f, \f, x                           /* 2: Ch */
    eor t0, t0, \c, ror #19                 /* 2: Sigma1 */
    eor t1, t1, \g, ror #20                 /* 2: Sigma0 */
    ldr x, [sp, #4 * (\i + 3)]              /* 3: word */
    eor r3, \g, \h                          /* 2: Maj */
    add \f, \f, t0, ror #6                  /* 2: Sigma1 */
    add \e, \e, x                           /* 3: word */
    add \b, \b, \f                          /* 2: d */
    and r2, r2, r3                          /* 2: Maj */
    add \f, \f, t1, ror #2                  /* 2: Sigma0 */
    bic x, \d, \b                           /* 3: Ch */
    and t1, \b, \c                          /* 3: Ch */
    add \e, \e, t1                          /* 3: Ch */
    eor t0, \b, \b, ror #5                  /* 3: Sigma1 */
    add \e, \e, x                           /* 3: Ch */
    eor t0, t0, \b, ror #19                 /* 3: Sigma1 */
    next \w, add x, sp, #4 * (\i)           /* sums */
    eor r2, r2, \h                          /* 2: Maj */
    add \f, \f, r2                          /* 2: Maj */
    add \e, \e, t0, ror #6                  /* 3: Sigma1 */
    eor r2, \f, \g                          /* 3: Maj */
    ldr t0, [k, #8]                         /* state */
    next \w, vst1.32 {q15}, [x]             /* sums */
    eor t1, \f, \f, ror #11                 /* 3: Sigma0 */
    eor t1, t1, \f, ror #20                 /* 3: Sigma0 */
    ldr x, [k, #12]                         /* state */
    add \a, \a, \e                          /* 3: d */
    add \e, \e, t1, ror #2                  /* 3: Sigma0 */
    ldr t1, [k, #28]                        /* state */
    add \h, \h, x                           /* state */
    str \h, [k, #12]                        /* state */
    add \d, \d, t1                          /* state */
    ldr x, [k, #4]                          /* state */
    and r3, r3, r2                          /* 3: Maj */
    str \d, [k, #28]                        /* state */
    eor r3, r3, \g                          /* 3: Maj */
    ldr t1, [k, #20]                        /* state */
    add \g, \g, t0                          /* state */
    str \g, [k, #8]                         /* state */
    add \e, \e, r3                          /* 3: Maj */
    ldr r3, [k, #24]                        /* state */
    ldr t0, [k, #0]                         /* state */
    add \f, \f, x                           /* state */
    add \c, \c, r3                          /* state */
    ldr r3, [k, #16]                        /* state */
    add \e, \e, t0                          /* state */
    str \e, [k, #0]                         /* state */
    str \f, [k, #4]                         /* state */
    str \c, [k, #24]                        /* state */
    add \b, \b, t1                          /* state */
    add \a, \a, r3                          /* state */
    str \b, [k, #20]                        /* state */
    next \w, eor r2, \f, \g                 /* state */
    str \a, [k, #16]                        /* state */
    next \w, ldr k, [sp, #SECOND_CONSTANTS] /* state */
.endm

/* The last 16 rounds: with the sums of the next block's words, if q0 to q3 are given. */
.macro last_rounds w0, w4, w8, w12
    four_last_rounds 0, r4, r5, r6, r7, r8, r9, r10, r11, \w0
    four_last_rounds 4, r8, r9, r10, r11, r4, r5, r6, r7, \w4
    four_last_rounds 8, r4, r5, r6, r7, r8, r9, r10, r11, \w8
    four_last_rounds_and_state 12, r8, r9, r10, r11, r4, r5, r6, r7, \w12
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
    add r2, r1, r2, lsl #6
    vld1.8 {q0, q1}, [r1]!
    vld1.8 {q2, q3}, [r1]!
    load_address r3, round_constants, 8
    vld1.32 {q8, q9}, [r3, :128]!
    vld1.32 {q10, q11}, [r3, :128]!
    push {r0-r11, lr}
    pushed_r4_to_lr 52
    sub sp, sp, #SUMS_BYTES + 4
    .cfi_adjust_cfa_offset SUMS_BYTES + 4
    mov k, r3
    mov x, sp
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
    ldr t0, [sp, #NEXT]
    ldr x, [sp, #END]
    subs x, x, t0
    beq last_block
    vld1.8 {q0, q1}, [t0]!
    sub k, k, #256
    vld1.8 {q2, q3}, [t0]!
    str t0, [sp, #NEXT]
    last_rounds q0, q1, q2, q3
    b rounds
    address_constant round_constants

last_block:
    last_rounds
    vmov.i32 q8, #0
    vmov.i32 q9, #0
    mov r0, sp
    vst1.32 {q8, q9}, [r0]! /* the sums reveal the message, so they are wiped */
    vst1.32 {q8, q9}, [r0]
    add sp, sp, #SUMS_BYTES + 20
    .cfi_adjust_cfa_offset -(SUMS_BYTES + 20)
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
