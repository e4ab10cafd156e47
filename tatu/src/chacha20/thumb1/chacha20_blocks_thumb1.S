/* ChaCha20's blocks for the Thumb of ARMv6-M: Cortex-M0, M0+ (RFC 8439, sections 2.1 to 2.4). The portable twins:
 * chacha20_next_block.c, chacha20_crypt_blocks.c. How it is made: docs/reference/kernels/chacha20.md.
 *
 * Of the eight registers that can compute, four hold a quarter round's words and four the rotation amounts. The
 * other twelve words wait: six in the high registers, which cost half of what memory costs, six in the frame. Which
 * word waits where, and in which order the quarter rounds come, is the result of a search for the fewest cycles. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_THUMB1)

#include "../../common/assembly_thumb1.h"
#include "../../common/assembly_arm.h"

/* The frame: a word of the state at 4 * its number, then what the function was called with. */
#define STATE 64
#define OUTPUT 68
#define INPUT 72
#define COUNT 76
#define FRAME_BYTES 80

/* The amounts by which to rotate right, instead of left by 16, 12, 8 and 7. RORS uses the low byte of a register
 * modulo 32, so r4 can count the double rounds in its other bits. */
#define RIGHT_16 r4
#define RIGHT_20 r5
#define RIGHT_24 r6
#define RIGHT_25 r7
#define DOUBLE_ROUNDS 10

.macro quarter_round a, b, c, d /* section 2.1 */
    adds \a, \a, \b
    eors \d, \d, \a
    rors \d, \d, RIGHT_16
    adds \c, \c, \d
    eors \b, \b, \c
    rors \b, \b, RIGHT_20
    adds \a, \a, \b
    eors \d, \d, \a
    rors \d, \d, RIGHT_24
    adds \c, \c, \d
    eors \b, \b, \c
    rors \b, \b, RIGHT_25
.endm

/* Two words of the block: the frame's (r3) and the initial state's (r0). */
.macro sum_words
    ldm r3!, {r4, r5}
    ldm r0!, {r6, r7}
    adds r4, r4, r6
    adds r5, r5, r7
.endm

/* void tatu_internal_chacha20_next_block(uint8_t key_stream[64], uint8_t initial_state[64]) */
function tatu_internal_chacha20_next_block
    mov r12, r0
    mov r0, r1
    mov r1, r12
    movs r2, #0
    movs r3, #1
    /* and on: no branch to another section reaches far enough */
end_function tatu_internal_chacha20_next_block

/* void tatu_internal_chacha20_crypt_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input, size_t
 * count) `input` may be NULL here: then the output is the key stream. */
    .global tatu_internal_chacha20_crypt_blocks
    .hidden tatu_internal_chacha20_crypt_blocks
    .type tatu_internal_chacha20_crypt_blocks, %function
    .thumb_func
tatu_internal_chacha20_crypt_blocks:
    .cfi_startproc
    push_high_registers
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #STATE]
    str r1, [sp, #OUTPUT]
    str r2, [sp, #INPUT]
    str r3, [sp, #COUNT]
.Lblock:
    ldr r1, [r0, #4 * 1]
    mov r11, r1
    ldr r1, [r0, #4 * 2]
    mov r12, r1
    ldr r1, [r0, #4 * 5]
    mov r9, r1
    ldr r1, [r0, #4 * 9]
    mov r10, r1
    ldr r1, [r0, #4 * 13]
    mov lr, r1
    ldr r1, [r0, #4 * 14]
    mov r8, r1
    ldr r1, [r0, #4 * 3]
    str r1, [sp, #4 * 3]
    ldr r1, [r0, #4 * 6]
    str r1, [sp, #4 * 6]
    ldr r1, [r0, #4 * 7]
    str r1, [sp, #4 * 7]
    ldr r1, [r0, #4 * 10]
    str r1, [sp, #4 * 10]
    ldr r1, [r0, #4 * 11]
    str r1, [sp, #4 * 11]
    ldr r1, [r0, #4 * 15]
    str r1, [sp, #4 * 15]
    ldr r1, [r0, #4 * 4]
    ldr r2, [r0, #4 * 8]
    ldr r3, [r0, #4 * 12]
    ldr r0, [r0]
    movs r4, #((16 + 32 * (DOUBLE_ROUNDS - 1)) / 16)
    lsls r4, r4, #4
    movs r5, #20
    movs r6, #24
    movs r7, #25

.Ldouble_round: /* words 0, 4, 8, 12 in r0 to r3, 14, 5, 9, 1, 2, 13 in r8 to lr */
    quarter_round r0, r1, r2, r3 /* 0 4 8 12 */
    str r1, [sp, #4 * 4]
    mov r1, r9
    str r2, [sp, #4 * 8]
    mov r2, r10
    str r3, [sp, #4 * 12]
    mov r3, lr
    mov lr, r0
    mov r0, r11
    quarter_round r0, r1, r2, r3 /* 1 5 9 13 */
    str r0, [sp, #4 * 1]
    mov r0, r12
    str r2, [sp, #4 * 9]
    ldr r2, [sp, #4 * 10]
    str r3, [sp, #4 * 13]
    mov r3, r8
    mov r8, r1
    ldr r1, [sp, #4 * 6]
    quarter_round r0, r1, r2, r3 /* 2 6 10 14 */
    mov r11, r0
    ldr r0, [sp, #4 * 3]
    mov r9, r1
    ldr r1, [sp, #4 * 7]
    mov r10, r2
    ldr r2, [sp, #4 * 11]
    str r3, [sp, #4 * 14]
    ldr r3, [sp, #4 * 15]
    quarter_round r0, r1, r2, r3 /* 3 7 11 15 */
    mov r12, r1
    mov r1, r10
    mov r10, r0
    mov r0, lr
    mov lr, r2
    mov r2, r8
    quarter_round r0, r2, r1, r3 /* 0 5 10 15 */
    mov r8, r0
    ldr r0, [sp, #4 * 1]
    str r1, [sp, #4 * 10]
    mov r1, r9
    mov r9, r2
    mov r2, lr
    str r3, [sp, #4 * 15]
    ldr r3, [sp, #4 * 12]
    quarter_round r0, r1, r2, r3 /* 1 6 11 12 */
    str r1, [sp, #4 * 6]
    mov r1, r11
    mov r11, r0
    mov r0, r12
    str r2, [sp, #4 * 11]
    ldr r2, [sp, #4 * 8]
    str r3, [sp, #4 * 12]
    ldr r3, [sp, #4 * 13]
    quarter_round r1, r0, r2, r3 /* 2 7 8 13 */
    mov r12, r1
    ldr r1, [sp, #4 * 4]
    str r0, [sp, #4 * 7]
    mov r0, r10
    mov r10, r2
    ldr r2, [sp, #4 * 14]
    mov lr, r3
    ldr r3, [sp, #4 * 9]
    quarter_round r0, r1, r3, r2 /* 3 4 9 14 */
    str r0, [sp, #4 * 3]
    mov r0, r8
    mov r8, r2
    mov r2, r10
    mov r10, r3
    ldr r3, [sp, #4 * 12]
    subs r4, r4, #32
    bmi .Lrounds_done
    b .Ldouble_round

.Lrounds_done:
    str r0, [sp, #4 * 0]
    str r1, [sp, #4 * 4]
    str r2, [sp, #4 * 8]
    str r3, [sp, #4 * 12]
    mov r0, r11
    str r0, [sp, #4 * 1]
    mov r0, r12
    str r0, [sp, #4 * 2]
    mov r0, r9
    str r0, [sp, #4 * 5]
    mov r0, r10
    str r0, [sp, #4 * 9]
    mov r0, lr
    str r0, [sp, #4 * 13]
    mov r0, r8
    str r0, [sp, #4 * 14]

    ldr r0, [sp, #STATE]
    ldr r1, [sp, #OUTPUT]
    ldr r2, [sp, #INPUT]
    movs r3, #64
    add r3, sp
    mov r12, r3
    movs r3, r1
    orrs r3, r3, r2
    lsls r3, r3, #30
    mov r3, sp
    bne .Lbytes
    cmp r2, #0
    beq .Lkey_stream
.Lwords:
    sum_words
    ldm r2!, {r6, r7}
    eors r4, r4, r6
    eors r5, r5, r7
    stm r1!, {r4, r5}
    cmp r3, r12
    bne .Lwords
    b .Lblock_done

.Lkey_stream:
    sum_words
    stm r1!, {r4, r5}
    cmp r3, r12
    bne .Lkey_stream
    b .Lblock_done

.Lbytes: /* This core reads and writes words at multiples of 4 only. */
    sum_words
    subs r3, r3, #8
    stm r3!, {r4, r5}
    cmp r3, r12
    bne .Lbytes
    mov r3, sp
    cmp r2, #0
    beq .Lkey_stream_bytes
.Lcrypt_bytes:
    ldrb r4, [r3]
    ldrb r5, [r2]
    eors r4, r4, r5
    strb r4, [r1]
    adds r1, r1, #1
    adds r2, r2, #1
    adds r3, r3, #1
    cmp r3, r12
    bne .Lcrypt_bytes
    b .Lblock_done
.Lkey_stream_bytes:
    ldrb r4, [r3]
    strb r4, [r1]
    adds r1, r1, #1
    adds r3, r3, #1
    cmp r3, r12
    bne .Lkey_stream_bytes

.Lblock_done:
    str r1, [sp, #OUTPUT]
    str r2, [sp, #INPUT]
    ldr r0, [sp, #STATE]
    ldr r1, [r0, #48]
    adds r1, r1, #1
    str r1, [r0, #48]
    ldr r3, [sp, #COUNT]
    subs r3, r3, #1
    str r3, [sp, #COUNT]
    beq .Lend
    b .Lblock

.Lend: /* The state leaves the stack. */
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    stm r0!, {r1-r4}
    stm r0!, {r1-r4}
    stm r0!, {r1-r4}
    stm r0!, {r1-r4}
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_high_registers_and_return
end_function tatu_internal_chacha20_crypt_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
