/* Keccak-f[1600] in Thumb-2, for Cortex-M3 and larger (FIPS 202, section 3.3); the C twin is keccak_permute.c.
 *
 *     void tatu_internal_keccak_permute(uint64_t lanes[25]);
 *
 * Lanes are bit-interleaved: the even bits are one word (e), the odd bits another (o). Rotating a lane by 2k is
 * rotating both words by k; by 2k + 1, the new e is the old o rotated by k + 1, and the new o the old e rotated by
 * k.
 *
 * No instruction does nothing but rotate. Each word is kept turned, to the right, by an amount that is known here:
 * `s_xye` is that of the even word of lane (x, y). What two words have apart, the barrel shifter evens out where
 * they meet, the result being turned as the first operand. So rho costs nothing; it is added to what words are
 * turned by. For a round to be a loop, its results must be turned as its operands were. That is a system of
 * equations with a solution: which word of a column's parity is the first operand, the one from row 0 or from row 4,
 * is chosen so that turns add up to 32 around every cycle. Lane (0, 0) is not turned.
 *
 * A round reads from one buffer and writes to another, row by row and half by half, and sums the columns' parities
 * for the next round's theta in registers as it goes. Before it, the parities become theta's change of each column,
 * on the stack.
 *
 *   r0, r1          the buffers, from and to
 *   r2..r6          the five lanes of a row, after theta
 *   r7, lr          temporaries, and words that wait to be stored behind a group of loads
 *   r8..r12         the five columns' parities
 *
 * How the cycles are spent: docs/reference/kernels/sha3.md. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_THUMB2)

#include "../../common/assembly_address_arm.h"
#include "../../common/assembly_frames_arm.h"

/* The frame: theta's change of each column, even and odd; the parities of the even words; where the next round's
 * constants are; the second buffer. */
#define FRAME_CHANGE    0
#define FRAME_PARITY    40
#define FRAME_CONSTANTS 60
#define FRAME_BUFFER    64
#define FRAME_BYTES     264

    .syntax unified
    .thumb

/* By how much words are turned to the right: each lane's row by row, and theta's change of each column. */
    .set s_00e, 0; .set s_10e, 21; .set s_20e, 18; .set s_30e, 11; .set s_40e, 18
    .set s_01e, 15; .set s_11e, 21; .set s_21e, 2; .set s_31e, 22; .set s_41e, 27
    .set s_02e, 0; .set s_12e, 31; .set s_22e, 13; .set s_32e, 15; .set s_42e, 9
    .set s_03e, 25; .set s_13e, 18; .set s_23e, 4; .set s_33e, 4; .set s_43e, 29
    .set s_04e, 27; .set s_14e, 28; .set s_24e, 31; .set s_34e, 21; .set s_44e, 0
    .set s_00o, 0; .set s_10o, 21; .set s_20o, 17; .set s_30o, 11; .set s_40o, 18
    .set s_01o, 14; .set s_11o, 21; .set s_21o, 1; .set s_31o, 21; .set s_41o, 26
    .set s_02o, 31; .set s_12o, 31; .set s_22o, 13; .set s_32o, 15; .set s_42o, 9
    .set s_03o, 24; .set s_13o, 18; .set s_23o, 4; .set s_33o, 3; .set s_43o, 28
    .set s_04o, 27; .set s_14o, 28; .set s_24o, 30; .set s_34o, 20; .set s_44o, 0
    .set d_0e, 0; .set d_1e, 31; .set d_2e, 28; .set d_3e, 1; .set d_4e, 11
    .set d_0o, 0; .set d_1o, 31; .set d_2o, 28; .set d_3o, 0; .set d_4o, 11

/* Where they are: lane (x, y) is at 8 (x + 5 y), its even word first. */
    .set at_00e, 0; .set at_10e, 8; .set at_20e, 16; .set at_30e, 24; .set at_40e, 32
    .set at_01e, 40; .set at_11e, 48; .set at_21e, 56; .set at_31e, 64; .set at_41e, 72
    .set at_02e, 80; .set at_12e, 88; .set at_22e, 96; .set at_32e, 104; .set at_42e, 112
    .set at_03e, 120; .set at_13e, 128; .set at_23e, 136; .set at_33e, 144; .set at_43e, 152
    .set at_04e, 160; .set at_14e, 168; .set at_24e, 176; .set at_34e, 184; .set at_44e, 192
    .set at_00o, 4; .set at_10o, 12; .set at_20o, 20; .set at_30o, 28; .set at_40o, 36
    .set at_01o, 44; .set at_11o, 52; .set at_21o, 60; .set at_31o, 68; .set at_41o, 76
    .set at_02o, 84; .set at_12o, 92; .set at_22o, 100; .set at_32o, 108; .set at_42o, 116
    .set at_03o, 124; .set at_13o, 132; .set at_23o, 140; .set at_33o, 148; .set at_43o, 156
    .set at_04o, 164; .set at_14o, 172; .set at_24o, 180; .set at_34o, 188; .set at_44o, 196
    .set change_0e, FRAME_CHANGE + 0
    .set change_1e, FRAME_CHANGE + 4
    .set change_2e, FRAME_CHANGE + 8
    .set change_3e, FRAME_CHANGE + 12
    .set change_4e, FRAME_CHANGE + 16
    .set change_0o, FRAME_CHANGE + 20
    .set change_1o, FRAME_CHANGE + 24
    .set change_2o, FRAME_CHANGE + 28
    .set change_3o, FRAME_CHANGE + 32
    .set change_4o, FRAME_CHANGE + 36

/* word ^= other, turned as word is */
.macro add_to word, turn, other, other_turn
    eor \word, \word, \other, ror #((\turn - \other_turn) & 31)
.endm

/* word = other ^ word, turned as other is */
.macro add_other word, turn, other, other_turn
    eor \word, \other, \word, ror #((\other_turn - \turn) & 31)
.endm

/* The parity of column \x of the words \h. */
.macro parity x, h, sum, base
    ldr \sum, [r0, #at_\x\()0\h]
    ldr r2, [r0, #at_\x\()1\h]
    ldr r3, [r0, #at_\x\()2\h]
    ldr r4, [r0, #at_\x\()3\h]
    ldr r5, [r0, #at_\x\()4\h]
    add_to \sum, s_\x\()0\h, r2, s_\x\()1\h
    add_to \sum, s_\x\()0\h, r3, s_\x\()2\h
    add_to \sum, s_\x\()0\h, r4, s_\x\()3\h
    add_\base \sum, s_\x\()0\h, r5, s_\x\()4\h
.endm

.macro parities h
    parity 0, \h, r8, to
    parity 1, \h, r9, other
    parity 2, \h, r10, other
    parity 3, \h, r11, to
    parity 4, \h, r12, other
.endm

.macro save_even_parities
    str r8, [sp, #FRAME_PARITY]
    str r9, [sp, #FRAME_PARITY + 4]
    str r10, [sp, #FRAME_PARITY + 8]
    str r11, [sp, #FRAME_PARITY + 12]
    str r12, [sp, #FRAME_PARITY + 16]
.endm

/* Theta's change of column \x (FIPS 202, section 3.2.1): the parity of the column before, and that of the column
 * behind rotated by one, `rotated` being 1 for the even words. The word that is not turned any more is `first`. */
.macro change_in target, x, h, first, second, second_turn
    eor \target, \first, \second, ror #((d_\x\h - (\second_turn)) & 31)
.endm

.macro change x, h, first, second, second_turn
    change_in r2, \x, \h, \first, \second, \second_turn
    str r2, [sp, #change_\x\h]
.endm

/* Chi (section 3.2.4) on r2..r6, which are row \y: lane \x, made of itself and the two that follow. */
.macro chi target, y, h, x, lane, x1, lane1, x2, lane2
    bic \target, \lane2, \lane1, ror #((s_\x2\y\h - s_\x1\y\h) & 31)
    eor \target, \lane, \target, ror #((s_\x\y\h - s_\x2\y\h) & 31)
.endm

/* Lane \l before theta, in \word, is added to the change of its column, \c, in \sum. */
.macro theta sum, c, word, l
    add_to \sum, d_\c, \word, s_\l
.endm

/* A store behind a load takes no cycle of its own, so every group of loads ends in one. Two words wait for that, in r7
 * and lr: `wait_7` and `wait_lr` are where they go. */

/* Row 0 with iota (section 3.2.5): the parities begin. The parameters are the lanes that become the row and the
 * columns that they are from; The lanes 3 and 4 of the
 * row wait in r11 and r12. */
.macro first_row h, base_7, wait_7, base_lr, wait_lr, l0, c0, l1, c1, l2, c2, l3, c3, l4, c4
    ldr r11, [sp, #FRAME_CONSTANTS]
    ldr r2, [sp, #change_\c0]
    ldr r3, [sp, #change_\c1]
    ldr r4, [sp, #change_\c2]
    ldr r5, [sp, #change_\c3]
    ldr r6, [sp, #change_\c4]
    ldr r8, [r0, #at_\l0]
    ldr r9, [r0, #at_\l1]
    ldr r10, [r0, #at_\l2]
    .ifc \h, e
    ldr r12, [r11], #8
    .else
    ldr r12, [r11, #-4]
    .endif
    str r7, [\base_7, #\wait_7]
    theta r2, \c0, r8, \l0
    theta r3, \c1, r9, \l1
    theta r4, \c2, r10, \l2
    ldr r7, [r0, #at_\l3]
    ldr r8, [r0, #at_\l4]
    str lr, [\base_lr, #\wait_lr]
    .ifc \h, e
    str r11, [sp, #FRAME_CONSTANTS]
    .endif
    theta r5, \c3, r7, \l3
    theta r6, \c4, r8, \l4
    eor r12, r12, r2
    bic r8, r4, r3, ror #((s_20\h - s_10\h) & 31)
    eor r8, r12, r8, ror #((s_00\h - s_20\h) & 31)
    chi r9, 0, \h, 1, r3, 2, r4, 3, r5
    chi r10, 0, \h, 2, r4, 3, r5, 4, r6
    chi r11, 0, \h, 3, r5, 4, r6, 0, r2
    chi r12, 0, \h, 4, r6, 0, r2, 1, r3
    str r8, [r1, #at_00\h]
    str r9, [r1, #at_10\h]
    str r10, [r1, #at_20\h]
.endm

/* Lane \x of row \y is made in \target and added to its column's parity, \how being `to` or `other`. */
.macro row_lane target, y, h, x, lane, x1, lane1, x2, lane2, sum, how
    chi \target, \y, \h, \x, \lane, \x1, \lane1, \x2, \lane2
    add_\how \sum, s_\x\()0\h, \target, s_\x\y\h
.endm

/* Rows 1 to 4; lanes 3 and 4 of the row before wait, and then those of this one. Lane 1 is made before lane 4 is
 * loaded, so that it can be stored behind. In row 4, `other`: three of the parities are turned as its words are. */
.macro row y, before, wait_3, wait_4, h, other, l0, c0, l1, c1, l2, c2, l3, c3, l4, c4
    ldr r2, [sp, #change_\c0]
    ldr r5, [r0, #at_\l0]
    ldr r3, [sp, #change_\c1]
    ldr r6, [r0, #at_\l1]
    ldr r4, [sp, #change_\c2]
    str \wait_3, [r1, #at_3\before\h]
    theta r2, \c0, r5, \l0
    theta r3, \c1, r6, \l1
    ldr r7, [r0, #at_\l2]
    ldr r5, [sp, #change_\c3]
    ldr r6, [r0, #at_\l3]
    str \wait_4, [r1, #at_4\before\h]
    theta r4, \c2, r7, \l2
    theta r5, \c3, r6, \l3
    row_lane lr, \y, \h, 1, r3, 2, r4, 3, r5, r9, \other
    ldr r6, [sp, #change_\c4]
    ldr r7, [r0, #at_\l4]
    str lr, [r1, #at_1\y\h]
    theta r6, \c4, r7, \l4
    row_lane r7, \y, \h, 0, r2, 1, r3, 2, r4, r8, to
    str r7, [r1, #at_0\y\h]
    row_lane r7, \y, \h, 2, r4, 3, r5, 4, r6, r10, \other
    str r7, [r1, #at_2\y\h]
    row_lane r7, \y, \h, 3, r5, 4, r6, 0, r2, r11, to
    row_lane lr, \y, \h, 4, r6, 0, r2, 1, r3, r12, \other
.endm

    .section .text.tatu_internal_keccak_permute,"ax",%progbits
    .balign 16
    .global tatu_internal_keccak_permute
    .hidden tatu_internal_keccak_permute
    .type tatu_internal_keccak_permute, %function
    .thumb_func
tatu_internal_keccak_permute:
    .cfi_startproc
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    load_address r2, round_constants, 4
    str r2, [sp, #FRAME_CONSTANTS]
    add r1, sp, #FRAME_BUFFER
    parities e
    save_even_parities
    parities o
    ldr r7, [r0, #at_34o]
    .balign 16
one_round:
    ldr r2, [sp, #FRAME_PARITY]
    ldr r3, [sp, #FRAME_PARITY + 4]
    ldr r4, [sp, #FRAME_PARITY + 8]
    ldr r5, [sp, #FRAME_PARITY + 12]
    ldr r6, [sp, #FRAME_PARITY + 16]
    str r7, [r0, #at_34o]
    change_in lr, 4, o, r11, r2, s_00e
    change_in r7, 1, e, r10, r2, s_00e
    str r7, [sp, #change_1e]
    change 2, e, r3, r11, s_30o + 1
    change 3, e, r12, r4, s_24e
    change 4, e, r5, r8, s_00o + 1
    change 0, e, r6, r9, s_14o + 1
    change 0, o, r12, r3, s_14e
    change 2, o, r9, r5, s_30e
    change 3, o, r6, r10, s_24o
    change_in r7, 1, o, r4, r8, s_00o
    first_row e, sp, change_1o, sp, change_4o, 00e, 0e, 11e, 1e, 22o, 2o, 33o, 3o, 44e, 4e
    row 1, 0, r11, r12, e, to, 30e, 3e, 41e, 4e, 02o, 0o, 13o, 1o, 24o, 2o
    row 2, 1, r7, lr, e, to, 10o, 1o, 21e, 2e, 32o, 3o, 43e, 4e, 04e, 0e
    row 3, 2, r7, lr, e, to, 40o, 4o, 01e, 0e, 12e, 1e, 23o, 2o, 34e, 3e
    row 4, 3, r7, lr, e, other, 20e, 2e, 31o, 3o, 42o, 4o, 03o, 0o, 14e, 1e
    save_even_parities
    first_row o, r1, at_34e, r1, at_44e, 00o, 0o, 11o, 1o, 22e, 2e, 33e, 3e, 44o, 4o
    row 1, 0, r11, r12, o, to, 30o, 3o, 41o, 4o, 02e, 0e, 13e, 1e, 24e, 2e
    row 2, 1, r7, lr, o, to, 10e, 1e, 21o, 2o, 32e, 3e, 43o, 4o, 04o, 0o
    row 3, 2, r7, lr, o, to, 40e, 4e, 01o, 0o, 12o, 1o, 23e, 2e, 34o, 3o
    row 4, 3, r7, lr, o, other, 20o, 2o, 31e, 3e, 42e, 4e, 03e, 0e, 14o, 1o
    ldr r2, [sp, #FRAME_CONSTANTS]
    load_address r6, round_constants_end, 4
    str lr, [r1, #at_44o]
    mov r3, r0
    mov r0, r1
    mov r1, r3
    cmp r2, r6
    bne one_round
    str r7, [r0, #at_34o]

    /* After 24 rounds the state is back in the caller's buffer. Our buffer and the registers are wiped. */
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    movs r6, #0
    mov r12, r1
    mov lr, r1
    .rept FRAME_BYTES / 32
    stmia r0!, {r1-r6, r12, lr}
    .endr
    stmia r0!, {r1, r2}
    mov sp, r0
    .cfi_def_cfa_offset 36
    pop {r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_keccak_permute, . - tatu_internal_keccak_permute
    address_constant round_constants
    address_constant round_constants_end

#include "../keccak_round_constants_interleaved.inc"

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
