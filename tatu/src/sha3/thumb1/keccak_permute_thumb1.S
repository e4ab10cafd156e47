/* Keccak-f[1600] in Thumb-1, for Cortex-M0 and M0+ (FIPS 202, section 3.3); the C twin is keccak_permute.c.
 *
 *     void tatu_internal_keccak_permute(uint64_t lanes[25]);
 *
 * Lanes are bit-interleaved: the even bits are one word (e), the odd bits another (o). Rotating a lane by 2k is
 * rotating both words by k; by 2k + 1, the new e is the old o rotated by k + 1, and the new o the old e rotated by
 * k.
 *
 * The loop has two rounds. The first reads the caller's buffer and writes ours, which is in the frame; the second
 * reads ours and writes the caller's. So every address is a constant behind sp, r0 or r7. A round writes half a row
 * at a time, five words. The state is laid out as it is written: rows 0 to 2 of the even words, the same of the odd
 * ones, rows 3 and 4 of the even words, of the odd ones. Then LDM reads all of it again for the columns' parities;
 * to sum them as rows are written would take three instructions a word, since only r0..r7 compute.
 *
 *   r0, r7          the caller's buffer, and rows 3 and 4 in it, which a load from r0 does not reach
 *   r1..r5          the five lanes of a row, after theta and rho
 *   r6              temporary
 *   r8..r12, lr     theta's changes of even words, and of the odd word of column 4; the others are in the frame
 *
 * How the cycles are spent: docs/reference/kernels/sha3.md. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_THUMB1)

#include "../../common/assembly_thumb1.h"

#define BUFFER_BYTES 200
#define UPPER_ROWS   120 /* where rows 3 and 4 begin */

/* The frame: theta's change of the odd words of columns 0 to 3; where the next rounds' constants are; where the
 * caller's buffer is; our buffer. */
#define FRAME_CHANGE    0
#define FRAME_CONSTANTS 16
#define FRAME_LANES     20
#define FRAME_BUFFER    24
#define FRAME_BYTES     224

    .syntax unified
    .thumb

/* Theta's changes, where they are: r6 gets that of the even or odd word of a column. */
.macro even_0
    mov r6, r12
.endm
.macro even_1
    mov r6, r8
.endm
.macro even_2
    mov r6, r9
.endm
.macro even_3
    mov r6, r10
.endm
.macro even_4
    mov r6, r11
.endm
.macro odd_0
    ldr r6, [sp, #FRAME_CHANGE]
.endm
.macro odd_1
    ldr r6, [sp, #FRAME_CHANGE + 4]
.endm
.macro odd_2
    ldr r6, [sp, #FRAME_CHANGE + 8]
.endm
.macro odd_3
    ldr r6, [sp, #FRAME_CHANGE + 12]
.endm
.macro odd_4
    mov r6, lr
.endm

/* Loads or stores a word of the caller's buffer. */
.macro in_callers instruction, word, offset
    .if \offset >= UPPER_ROWS
    \instruction \word, [r7, #\offset - UPPER_ROWS]
    .else
    \instruction \word, [r0, #\offset]
    .endif
.endm

.macro load word, offset
    .if reads_ours
    ldr \word, [sp, #FRAME_BUFFER + \offset]
    .else
    in_callers ldr, \word, \offset
    .endif
.endm

.macro store word, offset
    .if reads_ours
    in_callers str, \word, \offset
    .else
    str \word, [sp, #FRAME_BUFFER + \offset]
    .endif
.endm

/* A lane of the new row: loaded, changed by theta, rotated by rho (FIPS 202, sections 3.2.1 and 3.2.2). */
.macro lane word, offset, change, bits
    load \word, \offset
    \change
    eors \word, r6
    .if \bits
    movs r6, #32 - \bits
    rors \word, r6
    .endif
.endm

/* Chi (section 3.2.4) on r1..r5, the last lane first, each written at once. Lane 0 of row 0 gets a constant too (iota,
 * section 3.2.5): `constant` says which of the four words for two rounds. */
.macro chi offset, constant
    movs r6, r2
    bics r6, r1
    eors r6, r5
    store r6, \offset + 16
    movs r6, r1
    bics r6, r5
    eors r6, r4
    store r6, \offset + 12
    bics r5, r4
    eors r5, r3
    store r5, \offset + 8
    bics r4, r3
    eors r4, r2
    store r4, \offset + 4
    bics r3, r2
    eors r3, r1
    .ifnb \constant
    ldr r6, [sp, #FRAME_CONSTANTS]
    ldr r6, [r6, #\constant + 8 * reads_ours]
    eors r3, r6
    .endif
    store r3, \offset
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

/* Theta's changes from the columns' parities: the parity of the column before, and that of the column behind rotated
 * by one (section 3.2.1). r0 points to the buffer that is read; at the end behind it. */
.macro theta
    ldmia r0!, {r1-r5}
    add_two_rows
    adds r0, #60
    add_two_rows
    mov r8, r1
    mov r9, r2
    mov r10, r3
    mov r11, r4
    mov r12, r5
    subs r0, #100
    ldmia r0!, {r1-r5}
    add_two_rows
    adds r0, #40
    add_two_rows

    mov r6, r9
    eors r6, r5
    str r6, [sp, #FRAME_CHANGE]
    mov r6, r10
    eors r6, r1
    str r6, [sp, #FRAME_CHANGE + 4]
    mov r6, r11
    eors r6, r2
    str r6, [sp, #FRAME_CHANGE + 8]
    mov r6, r12
    eors r6, r3
    str r6, [sp, #FRAME_CHANGE + 12]
    mov r6, r8
    eors r6, r4
    mov lr, r6
    /* A change of even words takes the place of the parity that it needs. */
    movs r7, #31
    rors r2, r7
    mov r6, r12
    eors r2, r6
    mov r12, r2
    rors r3, r7
    mov r6, r8
    eors r3, r6
    mov r8, r3
    rors r4, r7
    mov r6, r9
    eors r4, r6
    mov r9, r4
    rors r5, r7
    mov r6, r10
    eors r5, r6
    mov r10, r5
    rors r1, r7
    mov r6, r11
    eors r1, r6
    mov r11, r1
.endm

.macro rows
    /* row 0, even words */
    lane r1, 0, even_0, 0
    lane r2, 24, even_1, 22
    lane r3, 108, odd_2, 22
    lane r4, 172, odd_3, 11
    lane r5, 156, even_4, 7
    chi 0, 0
    /* row 1, even words */
    lane r1, 12, even_3, 14
    lane r2, 36, even_4, 10
    lane r3, 100, odd_0, 2
    lane r4, 164, odd_1, 23
    lane r5, 188, odd_2, 31
    chi 20
    /* row 2, even words */
    lane r1, 64, odd_1, 1
    lane r2, 28, even_2, 3
    lane r3, 112, odd_3, 13
    lane r4, 136, even_4, 4
    lane r5, 140, even_0, 9
    chi 40
    /* row 0, odd words */
    lane r1, 60, odd_0, 0
    lane r2, 84, odd_1, 22
    lane r3, 48, even_2, 21
    lane r4, 132, even_3, 10
    lane r5, 196, odd_4, 7
    chi 60, 4
    /* row 1, odd words */
    lane r1, 72, odd_3, 14
    lane r2, 96, odd_4, 10
    lane r3, 40, even_0, 1
    lane r4, 124, even_1, 22
    lane r5, 148, even_2, 30
    chi 80
    /* row 2, odd words */
    lane r1, 4, even_1, 0
    lane r2, 88, odd_2, 3
    lane r3, 52, even_3, 12
    lane r4, 176, odd_4, 4
    lane r5, 180, odd_0, 9
    chi 100
    /* row 3, even words */
    lane r1, 76, odd_4, 14
    lane r2, 20, even_0, 18
    lane r3, 44, even_1, 5
    lane r4, 168, odd_2, 8
    lane r5, 152, even_3, 28
    chi 120
    /* row 4, even words */
    lane r1, 8, even_2, 31
    lane r2, 92, odd_3, 28
    lane r3, 116, odd_4, 20
    lane r4, 160, odd_0, 21
    lane r5, 144, even_1, 1
    chi 140
    /* row 3, odd words */
    lane r1, 16, even_4, 13
    lane r2, 80, odd_0, 18
    lane r3, 104, odd_1, 5
    lane r4, 128, even_2, 7
    lane r5, 192, odd_3, 28
    chi 160
    /* row 4, odd words */
    lane r1, 68, odd_2, 31
    lane r2, 32, even_3, 27
    lane r3, 56, even_4, 19
    lane r4, 120, even_0, 20
    lane r5, 184, odd_1, 1
    chi 180
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
    str r0, [sp, #FRAME_LANES]
    ldr r1, =round_constants
    str r1, [sp, #FRAME_CONSTANTS]
    b two_rounds
    .ltorg /* a load's reach is less than a round */

    .balign 8
two_rounds:
    theta
    subs r0, #BUFFER_BYTES
    movs r7, r0
    adds r7, #UPPER_ROWS
    .set reads_ours, 0
    rows

    add r0, sp, #FRAME_BUFFER
    theta
    ldr r0, [sp, #FRAME_LANES]
    movs r7, r0
    adds r7, #UPPER_ROWS
    .set reads_ours, 1
    rows

    ldr r1, [sp, #FRAME_CONSTANTS]
    adds r1, #16
    str r1, [sp, #FRAME_CONSTANTS]
    ldr r2, =round_constants_end
    cmp r1, r2
    beq 1f
    bl two_rounds /* further than B reaches; lr holds nothing here */
1:
    /* The state is back in the caller's buffer. Our frame and the registers are wiped. */
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    movs r6, #0
    movs r7, #0
    mov r12, r1
    mov lr, r1
    .rept FRAME_BYTES / 28
    stmia r0!, {r1-r7}
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
