/* Five blocks of ChaCha20 at once for 32-bit Arm with NEON, Thumb-2 and A32 (RFC 8439, sections 2.1 to 2.4): four in NEON's registers, a word
 * of each of the four blocks in one, and the fifth in the core's, whose instructions go beside NEON's. The twin: chacha20_blocks_arm.S.
 * How it is made: docs/kernels/chacha20.md. */
#include "../common/assembly.h"

#if defined(TATU_INTERNAL_NEON) && defined(TATU_INTERNAL_ARM_ASSEMBLY)

#include "../common/assembly_arm.h"
#include "chacha20_rotated_arm.h"

    .fpu neon

/* Words 0 to 7 of the four blocks in q0 to q7, two of 8 to 11 in q8 and q9, 12 to 15 in q12 to q15; of the fifth in r0 to r7, r12 and lr,
 * r8 to r11. The other two of 8 to 11 are in the frame. q10 and q11 are free. */
#define Q8_Q10 0 /* of the four blocks, and of the fifth */
#define Q9_Q11 32
#define X8_X10 64
#define X9_X11 72
#define X12 80
#define LOOPS 96
#define STATE 100
#define OUTPUT 104
#define INPUT 108
#define TURN_8 112 /* which byte goes where when words are turned by 8 bits */
#define TIMES 120
#define FRAME_BYTES 124

/* Two quarter rounds (section 2.1) of the four blocks, whose first three steps have been done, and of the fifth, whose b and d are kept turned
 * (chacha20_blocks_arm.S); beside their end the first three steps of the two that come next. Then the words 8 to 11 that are in the registers
 * to the frame's \from, and the others from \to. */
.macro quarter_rounds a, b, d, d_low, d_high, e, f, h, h_low, h_high, next_a, next_b, next_d, next_e, next_f, next_h, sa, sb, sd, se, sf, sh, turn_b, turn_d, neon_from, neon_to, from, to
    vadd.i32 q8, q8, \d
    vadd.i32 q9, q9, \h
    veor q10, \b, q8
    add_rotated \sa, \sb, \turn_b
    veor q11, \f, q9
    vshl.i32 \b, q10, #12
    add_rotated \se, \sf, \turn_b
    vshl.i32 \f, q11, #12
    vsri.i32 \b, q10, #20
    exclusive_or_rotated \sd, \sa, 64 - \turn_d
    vldr d20, [sp, #TURN_8]
    vsri.i32 \f, q11, #20
    exclusive_or_rotated \sh, \se, 64 - \turn_d
    vadd.i32 \a, \a, \b
    vadd.i32 \e, \e, \f
    add_rotated r12, \sd, \turn_d + 16
    veor q11, \h, \e
    veor \d, \d, \a
    vadd.i32 \next_a, \next_a, \next_b
    add_rotated lr, \sh, \turn_d + 16
    vadd.i32 \next_e, \next_e, \next_f
    vshl.i32 \h, q11, #8
    exclusive_or_rotated \sb, r12, 64 - \turn_b
    vtbl.8 \d_low, {\d_low}, d20
    veor \next_d, \next_d, \next_a
    exclusive_or_rotated \sf, lr, 64 - \turn_b
    veor \next_h, \next_h, \next_e
    vtbl.8 \d_high, {\d_high}, d20
    add_rotated \sa, \sb, \turn_b + 20
    vsri.i32 \h, q11, #24
    vadd.i32 q8, q8, \d
    add_rotated \se, \sf, \turn_b + 20
    vrev32.16 \next_d, \next_d
    vadd.i32 q9, q9, \h
    veor q10, \b, q8
    exclusive_or_rotated \sd, \sa, 64 - (\turn_d + 16)
    .ifnb \neon_from
    vstr d16, [sp, #\neon_from + 0]
    vstr d17, [sp, #\neon_from + 8]
    .endif
    veor q11, \f, q9
    exclusive_or_rotated \sh, \se, 64 - (\turn_d + 16)
    vrev32.16 \next_h, \next_h
    vshl.i32 \b, q10, #7
    add_rotated r12, \sd, \turn_d + 40
    .ifnb \neon_from
    vstr d18, [sp, #\neon_from + 16]
    vstr d19, [sp, #\neon_from + 24]
    .endif
    vshl.i32 \f, q11, #7
    add_rotated lr, \sh, \turn_d + 40
    .ifnb \neon_from
    vldr d16, [sp, #\neon_to + 0]
    vldr d17, [sp, #\neon_to + 8]
    .endif
    vsri.i32 \b, q10, #25
    exclusive_or_rotated \sb, r12, 64 - (\turn_b + 20)
    .ifnb \neon_from
    vldr d18, [sp, #\neon_to + 16]
    vldr d19, [sp, #\neon_to + 24]
    .endif
    vsri.i32 \f, q11, #25
    exclusive_or_rotated \sf, lr, 64 - (\turn_b + 20)
    .ifnb \neon_from
    str r12, [sp, #\from]
    str lr, [sp, #\from + 4]
    ldr r12, [sp, #\to]
    ldr lr, [sp, #\to + 4]
    .endif
.endm

/* The first three steps of the first two quarter rounds; undone again behind the last. */
.macro begin_quarter_round a, b, d
    vadd.i32 \a, \a, \b
    veor \d, \d, \a
    vrev32.16 \d, \d
.endm

.macro undo_quarter_round a, b, d
    vrev32.16 \d, \d
    veor \d, \d, \a
    vsub.i32 \a, \a, \b
.endm

/* In this order the words 8 to 11 are exchanged only twice, and no two quarter rounds need what those right before them make last, b. */
.macro columns turn_b, turn_d
    quarter_rounds q0, q4, q12, d24, d25, q2, q6, q14, d28, d29, q1, q5, q13, q3, q7, q15, r0, r4, r8, r2, r6, r10, \turn_b, \turn_d, Q8_Q10, Q9_Q11, X8_X10, X9_X11
    quarter_rounds q1, q5, q13, d26, d27, q3, q7, q15, d30, d31, q3, q4, q14, q1, q6, q12, r1, r5, r9, r3, r7, r11, \turn_b, \turn_d
.endm

.macro diagonals turn_b, turn_d
    quarter_rounds q3, q4, q14, d28, d29, q1, q6, q12, d24, d25, q2, q7, q13, q0, q5, q15, r3, r4, r10, r1, r6, r8, \turn_b, \turn_d, Q9_Q11, Q8_Q10, X9_X11, X8_X10
    quarter_rounds q2, q7, q13, d26, d27, q0, q5, q15, d30, d31, q0, q4, q12, q2, q6, q14, r2, r7, r9, r0, r5, r11, \turn_b, \turn_d
.endm

/* A word of the initial state, from r0 on, to the four blocks'; added to it. */
.macro spread low, high
    vld1.32 {\low[], \high[]}, [r0]!
.endm

.macro add_spread word
    vld1.32 {d20[], d21[]}, [r0]!
    vadd.i32 \word, \word, q10
.endm

/* 16 bytes of a block, from r2 to r1; then the same of the next block. */
.macro crypt block
    vld1.8 {d20-d21}, [r2], r3
    veor q10, q10, \block
    vst1.8 {d20-d21}, [r1], r3
.endm

/* Four words, each of four blocks, become four words of each block. */
.macro transpose word0, word1, word2, word3, high0, high1, low2, low3
    vtrn.32 \word0, \word1
    vtrn.32 \word2, \word3
    vswp \high0, \low2
    vswp \high1, \low3
.endm

/* The four blocks' words from \offset on: r4 is the output, r5 the input. */
.macro crypt_words offset, word0, word1, word2, word3
    add r1, r4, #\offset
    add r2, r5, #\offset
    crypt \word0
    crypt \word1
    crypt \word2
    crypt \word3
.endm

/* void tatu_internal_chacha20_crypt_5_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input, size_t times) */
function tatu_internal_chacha20_crypt_5_blocks
    push {r4-r11, lr}
    vpush {d8-d15}
    sub sp, sp, #FRAME_BYTES
    str r0, [sp, #STATE]
    str r1, [sp, #OUTPUT]
    str r2, [sp, #INPUT]
    str r3, [sp, #TIMES]
    movw r1, #0x0003
    movt r1, #0x0201
    str r1, [sp, #TURN_8]
    movw r1, #0x0407
    movt r1, #0x0605
    str r1, [sp, #TURN_8 + 4]
.Lfive_blocks:
    mov r10, r0
    mov r1, #5
    str r1, [sp, #LOOPS]
    spread d0, d1
    spread d2, d3
    spread d4, d5
    spread d6, d7
    spread d8, d9
    spread d10, d11
    spread d12, d13
    spread d14, d15
    spread d16, d17
    spread d20, d21
    spread d18, d19
    spread d22, d23
    spread d24, d25
    spread d26, d27
    spread d28, d29
    spread d30, d31
    vstr d20, [sp, #Q9_Q11]
    vstr d21, [sp, #Q9_Q11 + 8]
    vstr d22, [sp, #Q9_Q11 + 16]
    vstr d23, [sp, #Q9_Q11 + 24]
    mov r1, #0 /* block numbers 0 to 3 */
    mov r2, #1
    vmov d20, r1, r2
    mov r1, #2
    mov r2, #3
    vmov d21, r1, r2
    vadd.i32 q12, q12, q10
    begin_quarter_round q0, q4, q12
    begin_quarter_round q2, q6, q14
    ldr r1, [r10, #36]
    ldr r2, [r10, #44]
    str r1, [sp, #X9_X11]
    str r2, [sp, #X9_X11 + 4]
    mov r0, r10
    ldr r12, [r0, #32]
    ldr lr, [r0, #40]
    add r1, r0, #48
    ldm r1, {r8-r11}
    add r8, r8, #4
    ldm r0, {r0-r7}
.Lfour_rounds:
    columns 0, 0
    diagonals 13, 8
    columns 26, 16
    diagonals 39, 24
    str lr, [sp, #X8_X10 + 4]
    ldr lr, [sp, #LOOPS]
    ror r4, r4, #20 /* 52 bits; d, after 32, is where it should be */
    ror r5, r5, #20
    subs lr, lr, #1
    ror r6, r6, #20
    str lr, [sp, #LOOPS]
    ror r7, r7, #20
    ldr lr, [sp, #X8_X10 + 4]
    bne .Lfour_rounds
    undo_quarter_round q0, q4, q12
    undo_quarter_round q2, q6, q14

    /* The fifth block. */
    str r12, [sp, #X8_X10]
    str lr, [sp, #X8_X10 + 4]
    add r12, sp, #X12
    stm r12, {r8-r11}
    ldr r12, [sp, #STATE]
    ldr lr, [sp, #INPUT]
    ldr r10, [sp, #OUTPUT]
    add lr, lr, #256
    add r10, r10, #256
    cmp lr, #0
    finish r0, r1, 0
    finish r2, r3, 8
    finish r4, r5, 16
    finish r6, r7, 24
    ldr r0, [sp, #X8_X10]
    ldr r1, [sp, #X9_X11]
    ldr r2, [sp, #X8_X10 + 4]
    ldr r3, [sp, #X9_X11 + 4]
    finish r0, r1, 32
    finish r2, r3, 40
    add r4, sp, #X12
    ldm r4, {r0-r3}
    add r0, r0, #4
    finish r0, r1, 48
    finish r2, r3, 56

    /* The four. */
    mov r0, r12
    ldr r4, [sp, #OUTPUT]
    ldr r5, [sp, #INPUT]
    mov r3, #64
    add_spread q0
    add_spread q1
    add_spread q2
    add_spread q3
    add_spread q4
    add_spread q5
    add_spread q6
    add_spread q7
    transpose q0, q1, q2, q3, d1, d3, d4, d6
    transpose q4, q5, q6, q7, d9, d11, d12, d14
    crypt_words 0, q0, q1, q2, q3
    crypt_words 16, q4, q5, q6, q7
    vldr d0, [sp, #Q9_Q11]
    vldr d1, [sp, #Q9_Q11 + 8]
    vldr d2, [sp, #Q9_Q11 + 16]
    vldr d3, [sp, #Q9_Q11 + 24]
    add_spread q8
    add_spread q0
    add_spread q9
    add_spread q1
    transpose q8, q0, q9, q1, d17, d1, d18, d2
    crypt_words 32, q8, q0, q9, q1
    mov r1, #0
    mov r2, #1
    vmov d2, r1, r2
    mov r1, #2
    mov r2, #3
    vmov d3, r1, r2
    vadd.i32 q12, q12, q1
    add_spread q12
    add_spread q13
    add_spread q14
    add_spread q15
    transpose q12, q13, q14, q15, d25, d27, d28, d30
    crypt_words 48, q12, q13, q14, q15

    ldr r1, [r12, #48]
    mov r0, r12
    add r1, r1, #5
    ldr r2, [sp, #TIMES]
    str r1, [r12, #48]
    add r4, r4, #320
    add r5, r5, #320
    str r4, [sp, #OUTPUT]
    str r5, [sp, #INPUT]
    subs r2, r2, #1
    str r2, [sp, #TIMES]
    bne .Lfive_blocks

    /* Words of the state leave the stack. */
    vmov.i32 q0, #0
    vmov.i32 q1, #0
    mov r0, sp
    vst1.8 {d0-d3}, [r0]!
    vst1.8 {d0-d3}, [r0]!
    vst1.8 {d0-d3}, [r0]!
    add sp, sp, #FRAME_BYTES
    vpop {d8-d15}
    pop {r4-r11, pc}
end_function tatu_internal_chacha20_crypt_5_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
