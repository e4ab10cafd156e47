/* ChaCha20's blocks for 32-bit Arm with a shifter before the second operand: Thumb-2 (Cortex-M3 and later) and A32
 * (RFC 8439, sections 2.1 to 2.4). The portable twins: chacha20_next_block.c, chacha20_crypt_blocks.c. How it is
 * made: docs/reference/kernels/chacha20.md. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../chacha20_rotated_arm.h"

/* With NEON, which takes five blocks at once, this is what is left for fewer. */
#if defined(TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_NEON)
#define CRYPT_BLOCKS tatu_internal_chacha20_crypt_few_blocks
#else
#define CRYPT_BLOCKS tatu_internal_chacha20_crypt_blocks
#endif

/* Words 0 to 7 of the state in r0 to r7, 12 to 15 in r8 to r11; of 8 to 11 two in r12 and lr, two in the frame. */
#define X8_X9 0
#define X10_X11 8
#define LOOPS 16
#define STATE 20
#define OUTPUT 24
#define INPUT 28
#define COUNT 32
#define X12 36
#define FRAME_BYTES 52

/* A quarter round (section 2.1) in eight instructions: b and d are kept turned to the left by `turn_b` and `turn_d`
 * bits, and where they are used the shifter turns them back. Afterwards they are turned by 13 and 8 bits more: 20 +
 * 25 and 16 + 24, modulo 32. */
.macro quarter_round a, b, c, d, turn_b, turn_d
    add_rotated \a, \b, \turn_b
    exclusive_or_rotated \d, \a, 64 - \turn_d
    add_rotated \c, \d, \turn_d + 16
    exclusive_or_rotated \b, \c, 64 - \turn_b
    add_rotated \a, \b, \turn_b + 20
    exclusive_or_rotated \d, \a, 64 - (\turn_d + 16)
    add_rotated \c, \d, \turn_d + 40
    exclusive_or_rotated \b, \c, 64 - (\turn_b + 20)
.endm

.macro exchange from, to
    str r12, [sp, #\from]
    str lr, [sp, #\from + 4]
    ldr r12, [sp, #\to]
    ldr lr, [sp, #\to + 4]
.endm

.macro columns turn_b, turn_d
    quarter_round r0, r4, r12, r8, \turn_b, \turn_d
    quarter_round r1, r5, lr, r9, \turn_b, \turn_d
    exchange X8_X9, X10_X11
    quarter_round r2, r6, r12, r10, \turn_b, \turn_d
    quarter_round r3, r7, lr, r11, \turn_b, \turn_d
.endm

/* void tatu_internal_chacha20_next_block(uint8_t key_stream[64], uint8_t initial_state[64]) */
function tatu_internal_chacha20_next_block
    mov r3, r0
    mov r0, r1
    mov r1, r3
    mov r2, #0
    mov r3, #1
    b CRYPT_BLOCKS
end_function tatu_internal_chacha20_next_block

/* void CRYPT_BLOCKS(uint8_t initial_state[64], uint8_t *output, const uint8_t *input, size_t count)
 * `input` may be NULL here: then the output is the key stream. */
function CRYPT_BLOCKS
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #STATE]
    str r1, [sp, #OUTPUT]
    str r2, [sp, #INPUT]
    str r3, [sp, #COUNT]
.Lblock:
    ldr r1, [r0, #40]
    ldr r2, [r0, #44]
    str r1, [sp, #X10_X11]
    str r2, [sp, #X10_X11 + 4]
    mov r3, #5
    str r3, [sp, #LOOPS]
    ldr r12, [r0, #32]
    ldr lr, [r0, #36]
    add r1, r0, #48
    ldm r1, {r8-r11}
    ldm r0, {r0-r7}
#if defined(__thumb__)
    .balign 4
#endif
.Lfour_rounds:
    columns 0, 0
    quarter_round r0, r5, r12, r11, 13, 8
    quarter_round r1, r6, lr, r8, 13, 8
    exchange X10_X11, X8_X9
    quarter_round r2, r7, r12, r9, 13, 8
    quarter_round r3, r4, lr, r10, 13, 8
    columns 26, 16
    quarter_round r0, r5, r12, r11, 39, 24
    quarter_round r1, r6, lr, r8, 39, 24
    str r12, [sp, #X10_X11]
    str lr, [sp, #X10_X11 + 4]
    ldr lr, [sp, #LOOPS]
    ldr r12, [sp, #X8_X9]
    subs lr, lr, #1 /* nothing below touches the flags */
    str lr, [sp, #LOOPS]
    ldr lr, [sp, #X8_X9 + 4]
    quarter_round r2, r7, r12, r9, 39, 24
    quarter_round r3, r4, lr, r10, 39, 24
    /* 52 bits are 20; d, after 32, is where it should be. */
    ror r4, r4, #20
    ror r5, r5, #20
    ror r6, r6, #20
    ror r7, r7, #20
    bne .Lfour_rounds

    str r12, [sp, #X8_X9]
    str lr, [sp, #X8_X9 + 4]
    add r12, sp, #X12
    stm r12, {r8-r11}
    ldr r12, [sp, #STATE]
    ldr lr, [sp, #INPUT]
    ldr r10, [sp, #OUTPUT]
    cmp lr, #0
    finish r0, r1, 0
    finish r2, r3, 8
    finish r4, r5, 16
    finish r6, r7, 24
    ldm sp, {r0-r3}
    finish r0, r1, 32
    finish r2, r3, 40
    add r4, sp, #X12
    ldm r4, {r0-r3}
    finish r0, r1, 48
    finish r2, r3, 56

    mov r0, r12
    ldr r1, [r0, #48]
    ldr r3, [sp, #COUNT]
    add r1, r1, #1
    str r1, [r0, #48]
    add lr, lr, #64
    add r10, r10, #64
    str lr, [sp, #INPUT]
    str r10, [sp, #OUTPUT]
    subs r3, r3, #1
    str r3, [sp, #COUNT]
    bne .Lblock

    /* Words of the state leave the stack. */
    mov r1, #0
    mov r2, #0
    mov r3, #0
    mov r4, #0
    add r0, sp, #X12
    stm r0, {r1-r4}
    stm sp, {r1-r4}
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
end_function CRYPT_BLOCKS

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
