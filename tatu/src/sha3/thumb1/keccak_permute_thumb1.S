/* Keccak-f[1600] in Thumb-1, for Cortex-M0 and M0+ (FIPS 202, section 3.3); the C twin is keccak_permute.c.
 *
 *     void tatu_internal_keccak_permute(uint64_t lanes[25]);
 *
 * Lanes are bit-interleaved: the even bits are one word (e), the odd bits another (o). Rotating a lane by 2k is
 * rotating both words by k; by 2k + 1, the new e is the old o rotated by k + 1, and the new o the old e rotated by
 * k.
 *
 * A round reads from one buffer and writes to another, half a row at a time: five words, which STM writes in 6
 * cycles. The state is laid out as it is written: rows 0 to 2 of the even words, the same of the odd ones, rows 3
 * and 4 of the even words, of the odd ones. Loads reach 32 words, so that each row has two of its lanes from a
 * second address. Then LDM reads all of it again for the columns' parities; to sum them as rows are written would
 * take three instructions a word, since only r0..r7 compute.
 *
 *   r0              the buffer that is read
 *   r1              amounts of rotations; lane 0 of the new row
 *   r2..r6          the five lanes of a row, after theta and rho
 *   r7              temporary
 *   r8..r10         theta's change of three columns; the others are in the frame
 *   r11             temporary
 *   r12             rows 3 and 4 of the buffer that is read
 *   lr              walks the buffer that is written
 *
 * How the cycles are spent: docs/reference/kernels/sha3.md. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_THUMB1)

#include "../../common/assembly_thumb1.h"

#define BUFFER_BYTES 200
#define UPPER_ROWS   120 /* where rows 3 and 4 begin */

/* The frame: theta's change of each column, even and odd, those in registers left out; the parities of the even
 * words; where the next round's constants are; the second buffer. */
#define FRAME_CHANGE    0
#define FRAME_PARITY    40
#define FRAME_CONSTANTS 60
#define FRAME_BUFFER    64
#define FRAME_BYTES     264

    .syntax unified
    .thumb

.macro rotate_left lane, bits
    .if \bits
    movs r1, #32 - \bits
    rors \lane, r1
    .endif
.endm

/* A lane of the new row: loaded, changed by theta, rotated by rho (FIPS 202, sections 3.2.1 and 3.2.2). The change
 * of its column is in the frame at `change`, or in that register. */
.macro lane word, base, offset, change, bits
    ldr \word, [\base, #\offset]
    ldr r7, [sp, #FRAME_CHANGE + \change]
    eors \word, r7
    rotate_left \word, \bits
.endm

.macro lane_by_register word, base, offset, change, bits
    ldr \word, [\base, #\offset]
    mov r7, \change
    eors \word, r7
    rotate_left \word, \bits
.endm

/* The same for lanes 3 and 4, which are already loaded. */
.macro loaded word, change, bits
    ldr r7, [sp, #FRAME_CHANGE + \change]
    eors \word, r7
    rotate_left \word, \bits
.endm

.macro loaded_by_register word, change, bits
    mov r7, \change
    eors \word, r7
    rotate_left \word, \bits
.endm

.macro load_upper offset3, offset4
    mov r7, r12
    ldr r5, [r7, #\offset3]
    ldr r6, [r7, #\offset4]
.endm

/* Chi (section 3.2.4) on r2..r6, in place. Only lane 0 goes to r1. r2 and r7 are free at the end. */
.macro chi
    movs r1, r4
    bics r1, r3
    movs r7, r3
    bics r7, r2
    mov r11, r7
    eors r1, r2
    bics r2, r6
    movs r7, r5
    bics r7, r4
    eors r3, r7
    movs r7, r6
    bics r7, r5
    eors r4, r7
    eors r5, r2
    mov r7, r11
    eors r6, r7
.endm

.macro store_row
    mov r2, lr
    stmia r2!, {r1, r3-r6}
    mov lr, r2
.endm

/* Section 3.2.5: row 0's lane 0, in r1, gets the next constant. */
.macro iota
    ldr r2, [sp, #FRAME_CONSTANTS]
    ldmia r2!, {r7}
    str r2, [sp, #FRAME_CONSTANTS]
    eors r1, r7
.endm

/* The parities of ten words at r0 are added to r1..r5. */
.macro add_two_rows
    ldmia r0!, {r6, r7}
    eors r1, r6
    eors r2, r7
    ldmia r0!, {r6, r7}
    eors r3, r6
    eors r4, r7
    ldmia r0!, {r6, r7}
    eors r5, r6
    eors r1, r7
    ldmia r0!, {r6, r7}
    eors r2, r6
    eors r3, r7
    ldmia r0!, {r6, r7}
    eors r4, r6
    eors r5, r7
.endm

    .section .text.tatu_internal_keccak_permute,"ax",%progbits
    .balign 8
    .global tatu_internal_keccak_permute
    .hidden tatu_internal_keccak_permute
    .type tatu_internal_keccak_permute, %function
    .thumb_func
tatu_internal_keccak_permute:
    .cfi_startproc
    push_high_registers
    sub sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    ldr r1, =round_constants
    str r1, [sp, #FRAME_CONSTANTS]
    add r1, sp, #FRAME_BUFFER
    mov lr, r1
    b one_round
    .ltorg /* a load's reach is less than a round */

    .balign 8
one_round:
    /* The columns' parities, the even ones to the frame. */
    mov r12, r0
    ldmia r0!, {r1-r5}
    add_two_rows
    adds r0, #60
    add_two_rows
    add r0, sp, #FRAME_PARITY
    stmia r0!, {r1-r5}
    mov r0, r12
    adds r0, #60
    ldmia r0!, {r1-r5}
    add_two_rows
    adds r0, #40
    add_two_rows

    /* Theta's changes: the parity of the column before, and that of the column behind rotated by one. */
    movs r0, #31
    movs r7, r2
    rors r7, r0
    ldr r6, [sp, #FRAME_PARITY + 16]
    eors r6, r7
    mov r8, r6
    movs r7, r3
    rors r7, r0
    ldr r6, [sp, #FRAME_PARITY + 0]
    eors r6, r7
    mov r10, r6
    movs r7, r4
    rors r7, r0
    ldr r6, [sp, #FRAME_PARITY + 4]
    eors r6, r7
    str r6, [sp, #FRAME_CHANGE + 8]
    movs r7, r5
    rors r7, r0
    ldr r6, [sp, #FRAME_PARITY + 8]
    eors r6, r7
    str r6, [sp, #FRAME_CHANGE + 12]
    movs r7, r1
    rors r7, r0
    ldr r6, [sp, #FRAME_PARITY + 12]
    eors r6, r7
    str r6, [sp, #FRAME_CHANGE + 16]
    ldr r6, [sp, #FRAME_PARITY + 4]
    eors r6, r5
    mov r9, r6
    ldr r6, [sp, #FRAME_PARITY + 8]
    eors r6, r1
    str r6, [sp, #FRAME_CHANGE + 24]
    ldr r6, [sp, #FRAME_PARITY + 12]
    eors r6, r2
    str r6, [sp, #FRAME_CHANGE + 28]
    ldr r6, [sp, #FRAME_PARITY + 16]
    eors r6, r3
    str r6, [sp, #FRAME_CHANGE + 32]
    ldr r6, [sp, #FRAME_PARITY + 0]
    eors r6, r4
    str r6, [sp, #FRAME_CHANGE + 36]
    mov r0, r12
    movs r7, #UPPER_ROWS
    add r12, r7

    /* row 0, even words */
    lane_by_register r2, r0, 0, r8, 0
    lane_by_register r3, r0, 24, r10, 22
    lane r4, r0, 108, 28, 22
    load_upper 52, 36
    loaded r5, 32, 11
    loaded r6, 16, 7
    chi
    iota
    store_row
    /* row 1, even words */
    lane r2, r0, 12, 12, 14
    lane r3, r0, 36, 16, 10
    lane_by_register r4, r0, 100, r9, 2
    load_upper 44, 68
    loaded r5, 24, 23
    loaded r6, 28, 31
    chi
    store_row
    /* row 2, even words */
    lane r2, r0, 64, 24, 1
    lane r3, r0, 28, 8, 3
    lane r4, r0, 112, 32, 13
    load_upper 16, 20
    loaded r5, 16, 4
    loaded_by_register r6, r8, 9
    chi
    store_row
    /* row 0, odd words */
    lane_by_register r2, r0, 60, r9, 0
    lane r3, r0, 84, 24, 22
    lane r4, r0, 48, 8, 21
    load_upper 12, 76
    loaded r5, 12, 10
    loaded r6, 36, 7
    chi
    iota
    store_row
    /* row 1, odd words */
    lane r2, r0, 72, 32, 14
    lane r3, r0, 96, 36, 10
    lane_by_register r4, r0, 40, r8, 1
    load_upper 4, 28
    loaded_by_register r5, r10, 22
    loaded r6, 8, 30
    chi
    store_row
    /* row 2, odd words */
    lane_by_register r2, r0, 4, r10, 0
    lane r3, r0, 88, 28, 3
    lane r4, r0, 52, 12, 12
    load_upper 56, 60
    loaded r5, 36, 4
    loaded_by_register r6, r9, 9
    chi
    store_row
    /* row 3, even words */
    lane r2, r0, 76, 36, 14
    lane_by_register r3, r0, 20, r8, 18
    lane_by_register r4, r0, 44, r10, 5
    load_upper 48, 32
    loaded r5, 28, 8
    loaded r6, 12, 28
    chi
    store_row
    /* row 4, even words */
    lane r2, r0, 8, 8, 31
    lane r3, r0, 92, 32, 28
    lane r4, r0, 116, 36, 20
    load_upper 40, 24
    loaded_by_register r5, r9, 21
    loaded_by_register r6, r10, 1
    chi
    store_row
    /* row 3, odd words */
    lane r2, r0, 16, 16, 13
    lane_by_register r3, r0, 80, r9, 18
    lane r4, r0, 104, 24, 5
    load_upper 8, 72
    loaded r5, 8, 7
    loaded r6, 32, 28
    chi
    store_row
    /* row 4, odd words */
    lane r2, r0, 68, 28, 31
    lane r3, r0, 32, 12, 27
    lane r4, r0, 56, 16, 19
    load_upper 0, 64
    loaded_by_register r5, r8, 20
    loaded r6, 24, 1
    chi
    store_row

    /* r2 is the end of the buffer that was written: it is read next, and the other one written. */
    mov lr, r0
    movs r0, r2
    subs r0, #BUFFER_BYTES
    ldr r1, [sp, #FRAME_CONSTANTS]
    ldr r2, =round_constants_end
    cmp r1, r2
    beq 1f
    b one_round
1:
    /* After 24 rounds the state is back in the caller's buffer. Our buffer and the registers are wiped. */
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    movs r6, #0
    mov r12, r1
    .rept FRAME_BYTES / 24
    stmia r0!, {r1-r6}
    .endr
    add sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_high_registers_and_return
    .cfi_endproc
    .size tatu_internal_keccak_permute, . - tatu_internal_keccak_permute
    .ltorg

#include "../keccak_round_constants_interleaved.inc"

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
