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
 * on the stack. Rows are in the order 0, 1, 2, 4, 3: so the change of column 4 is the same for rows 0 to 2 and for
 * rows 4 and 3, and lane (3, 3) of the odd half, which is made last but two, is in a register where row 0 needs it.
 *
 *   r0, r1          the buffers, from and to
 *   r2..r6          the five lanes of a row, after theta
 *   r7, r4          temporaries, and words that wait to be stored behind a group of loads
 *   r8..r11, lr     the parities of the columns of the half that is written
 *   r12             theta's change of column 4
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
    .set parity_0e, FRAME_PARITY + 0
    .set parity_1e, FRAME_PARITY + 4
    .set parity_2e, FRAME_PARITY + 8
    .set parity_3e, FRAME_PARITY + 12
    .set parity_4e, FRAME_PARITY + 16

/* The parity of each column is turned as the word of this row is. */
    .set base_0, 0; .set base_1, 4; .set base_2, 4; .set base_3, 0; .set base_4, 4

/* The parities of the half that is written. */
sum_0 .req r8
sum_1 .req r9
sum_2 .req r10
sum_3 .req r11
sum_4 .req lr

/* Theta's change of column 4. */
change_4 .req r12

/* word ^= other, turned as word is */
.macro add_to word, turn, other, other_turn
    eor \word, \word, \other, ror #((\turn - \other_turn) & 31)
.endm

/* word = other ^ word, turned as other is */
.macro add_other word, turn, other, other_turn
    eor \word, \other, \word, ror #((\other_turn - \turn) & 31)
.endm

/* The parity of column \x of the words \h, turned as its word of row \base is. The last one has a temporary less. */
.macro parity sum, x, h, base, y1, y2, y3, y4
    ldr \sum, [r0, #at_\x\base\h]
    ldr r5, [r0, #at_\x\y1\h]
    ldr r7, [r0, #at_\x\y2\h]
    ldr r1, [r0, #at_\x\y3\h]
    .ifnc \sum, sum_4
    ldr sum_4, [r0, #at_\x\y4\h]
    add_to \sum, s_\x\base\h, r5, s_\x\y1\h
    add_to \sum, s_\x\base\h, sum_4, s_\x\y4\h
    .else
    add_to \sum, s_\x\base\h, r5, s_\x\y1\h
    ldr r5, [r0, #at_\x\y4\h]
    add_to \sum, s_\x\base\h, r5, s_\x\y4\h
    .endif
    add_to \sum, s_\x\base\h, r7, s_\x\y2\h
    add_to \sum, s_\x\base\h, r1, s_\x\y3\h
.endm

/* Theta's change of column \x (FIPS 202, section 3.2.1): the parity of the column before, and that of the column
 * behind rotated by one, `rotated` being 1 for the even words. The word that is not turned any more is `first`. */
.macro change target, x, h, first, second, second_turn
    eor \target, \first, \second, ror #((d_\x\h - (\second_turn)) & 31)
    str \target, [sp, #change_\x\h]
.endm

/* Lane \l, in \word, after theta; the change of its column, \c, is in \change. */
.macro theta target, change, c, word, l
    eor \target, \change, \word, ror #((d_\c - s_\l) & 31)
.endm

/* Chi (section 3.2.4) on row \y: lane \x, made of itself and the two that follow. */
.macro chi target, y, h, x, lane, x1, lane1, x2, lane2
    bic \target, \lane2, \lane1, ror #((s_\x2\y\h - s_\x1\y\h) & 31)
    eor \target, \lane, \target, ror #((s_\x\y\h - s_\x2\y\h) & 31)
.endm

/* The same, and added to the parity of its column. Rows are in the order 0, 1, 2, 4, 3. */
.macro made target, y, h, x, lane, x1, lane1, x2, lane2
    chi \target, \y, \h, \x, \lane, \x1, \lane1, \x2, \lane2
    .if \y < 3 || base_\x == 0
    add_to sum_\x, s_\x\()0\h, \target, s_\x\y\h
    .elseif \y == 4
    add_other sum_\x, s_\x\()0\h, \target, s_\x\()4\h
    .else
    add_to sum_\x, s_\x\()4\h, \target, s_\x\y\h
    .endif
.endm

/* Row 0 with iota (section 3.2.5), where the parities begin. Lanes are in r6, r2, r5, r3, r7, and the constant is in
 * r11; that of the last round sets the carry, which nothing else in a round changes. Lane 4 waits in its parity. */
.macro row_0 h
    chi sum_0, 0, \h, 0, r6, 1, r2, 2, r5
    .ifc \h, e
    eors sum_0, sum_0, r11, lsr #1
    .else
    eor sum_0, sum_0, r11
    .endif
    str sum_0, [r1, #at_00\h]
    chi sum_1, 0, \h, 1, r2, 2, r5, 3, r3
    str sum_1, [r1, #at_10\h]
    chi sum_2, 0, \h, 2, r5, 3, r3, 4, r7
    str sum_2, [r1, #at_20\h]
    chi sum_3, 0, \h, 3, r3, 4, r7, 0, r6
    str sum_3, [r1, #at_30\h]
    chi sum_4, 0, \h, 4, r7, 0, r6, 1, r2
.endm

/* A store behind a load takes no cycle of its own, so every group of loads ends in one. In rows 3 and 4 such a store
 * is a long instruction, and so is the load: else the long instructions behind them would lie across words. */
.macro load_before_store y, word, at
    .if \y < 3
    ldr \word, [r0, #\at]
    .else
    ldr.w \word, [r0, #\at]
    .endif
.endm

/* Rows 1 to 4. In each, `la` to `le` are the lanes that become its lanes \a to \e, in the order of use, and `ca` to
 * `ce` are the changes of their columns. The last one is from column 4. Two words of the row before wait in r7 and r4,
 * and then two of this row do. */

.macro first_two la, ca, lb, cb
    ldr r2, [r0, #at_\la]
    ldr r5, [sp, #change_\ca]
    ldr r3, [r0, #at_\lb]
    ldr r6, [sp, #change_\cb]
.endm

.macro theta_first_two la, ca, lb, cb
    theta r2, r5, \ca, r2, \la
    theta r3, r6, \cb, r3, \lb
.endm

/* Lane \b is in `made`. */
.macro last_lane y, h, b, le, ce, made=r7
    load_before_store \y, r6, at_\le
    str \made, [r1, #at_\b\y\h]
    theta r6, change_4, \ce, r6, \le
.endm

.macro rest y, h, a, b, c, d, e, le, ce
    made r7, \y, \h, \b, r3, \c, r4, \d, r5
    last_lane \y, \h, \b, \le, \ce
    made r7, \y, \h, \c, r4, \d, r5, \e, r6
    str r7, [r1, #at_\c\y\h]
    made r7, \y, \h, \d, r5, \e, r6, \a, r2
    made r4, \y, \h, \e, r6, \a, r2, \b, r3
.endm

.macro first_four y, h, wait_7, wait_4, a, b, c, la, ca, lb, cb, lc, cc, ld, cd
    first_two \la, \ca, \lb, \cb
    str r7, [r1, #\wait_7]
    theta_first_two \la, \ca, \lb, \cb
    ldr r5, [r0, #at_\lc]
    ldr r6, [sp, #change_\cc]
    ldr r7, [sp, #change_\cd]
    str r4, [r1, #\wait_4]
    theta r4, r6, \cc, r5, \lc
    made r6, \y, \h, \a, r2, \b, r3, \c, r4
    load_before_store \y, r5, at_\ld
    str r6, [r1, #at_\a\y\h]
    theta r5, r7, \cd, r5, \ld
.endm

/* Lane 4 of row 0 waits in its parity, and the change of column 2 is in r4 still. */
.macro row_1 h, la, ca, lb, cb, lc, cc, ld, cd, le, ce
    first_two \la, \ca, \lb, \cb
    ldr r7, [r0, #at_\lc]
    str sum_4, [r1, #at_40\h]
    theta_first_two \la, \ca, \lb, \cb
    theta r4, r4, \cc, r7, \lc
    made r6, 1, \h, 2, r2, 3, r3, 4, r4
    ldr r5, [r0, #at_\ld]
    ldr r7, [sp, #change_\cd]
    str r6, [r1, #at_21\h]
    theta r5, r7, \cd, r5, \ld
    rest 1, \h, 2, 3, 4, 0, 1, \le, \ce
.endm

.macro row_2 h, la, ca, lb, cb, lc, cc, ld, cd, le, ce
    first_four 2, \h, at_01\h, at_11\h, 4, 0, 1, \la, \ca, \lb, \cb, \lc, \cc, \ld, \cd
    rest 2, \h, 4, 0, 1, 2, 3, \le, \ce
.endm

.macro row_4 h, la, ca, lb, cb, lc, cc, ld, cd, le, ce
    ldr change_4, [sp, #change_\ce]
    first_four 4, \h, at_22\h, at_32\h, 3, 4, 0, \la, \ca, \lb, \cb, \lc, \cc, \ld, \cd
    rest 4, \h, 3, 4, 0, 1, 2, \le, \ce
.endm

/* Of the even half the parities are stored, and the change of column 3 stays in r7: row 0 of the odd half needs the
 * same. Of the odd half, lane 3 stays in r7 for the next round. Lanes 4 and 0 wait in r4 and r5, or lane 0 does. */
.macro row_3 h, la, ca, lb, cb, lc, cc, ld, cd, le, ce
    first_four 3, \h, at_14\h, at_24\h, 1, 2, 3, \la, \ca, \lb, \cb, \lc, \cc, \ld, \cd
    .ifc \h, e
    str sum_1, [sp, #parity_1e]
    made sum_1, 3, e, 2, r3, 3, r4, 4, r5
    last_lane 3, e, 2, \le, \ce, sum_1
    made sum_1, 3, e, 3, r4, 4, r5, 0, r6
    str sum_1, [r1, #at_33e]
    made r4, 3, e, 4, r5, 0, r6, 1, r2
    str sum_2, [sp, #parity_2e]
    str sum_3, [sp, #parity_3e]
    str sum_4, [sp, #parity_4e]
    made r5, 3, e, 0, r6, 1, r2, 2, r3
    .else
    made r7, 3, o, 2, r3, 3, r4, 4, r5
    last_lane 3, o, 2, \le, \ce
    made r7, 3, o, 3, r4, 4, r5, 0, r6
    made r4, 3, o, 4, r5, 0, r6, 1, r2
    str r4, [r1, #at_43o]
    made r5, 3, o, 0, r6, 1, r2, 2, r3
    .endif
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
    parity r2, 0, e, 0, 1, 2, 3, 4
    parity r12, 1, e, 4, 0, 1, 2, 3
    parity r6, 2, e, 4, 0, 1, 2, 3
    parity r4, 3, e, 0, 1, 2, 3, 4
    parity r3, 4, e, 4, 0, 1, 2, 3
    parity sum_0, 0, o, 0, 1, 2, 3, 4
    parity sum_1, 1, o, 4, 0, 1, 2, 3
    parity sum_2, 2, o, 4, 0, 1, 2, 3
    parity sum_3, 3, o, 0, 1, 2, 3, 4
    parity sum_4, 4, o, 4, 0, 1, 2, 3
    ldr r7, [r0, #at_33o]
    load_address r1, round_constants, 4
    str r1, [sp, #FRAME_CONSTANTS]
    add r1, sp, #FRAME_BUFFER
    .balign 16
one_round:
    /* The parities are in r2, r12, r6, r4, r3 and sum_0 to sum_4, lane (3, 3) of the odd half is in r7. The changes of
     * the columns of row 0 stay in registers. */
    change r5, 4, o, sum_3, r2, s_00e
    change r5, 2, e, r12, sum_3, s_30o + 1
    change r5, 0, o, sum_4, r12, s_14e
    change r5, 3, e, sum_4, r6, s_24e
    change r5, 1, o, r6, sum_0, s_00o
    change change_4, 4, e, r4, sum_0, s_00o + 1
    change r4, 2, o, sum_1, r4, s_30e
    change r6, 0, e, r3, sum_1, s_14o + 1
    change r3, 3, o, r3, sum_2, s_24o
    change r2, 1, e, sum_2, r2, s_00e

    theta r3, r3, 3o, r7, 33o
    ldr r9, [sp, #FRAME_CONSTANTS]
    ldr r5, [r0, #at_00e]
    ldr r7, [r0, #at_11e]
    ldr r10, [r0, #at_22o]
    ldr lr, [r0, #at_44e]
    ldr r11, [r9], #8
    str r9, [sp, #FRAME_CONSTANTS]
    theta r6, r6, 0e, r5, 00e
    theta r2, r2, 1e, r7, 11e
    theta r5, r4, 2o, r10, 22o
    theta r7, change_4, 4e, lr, 44e
    row_0 e
    row_1 e, 02o, 0o, 13o, 1o, 24o, 2o, 30e, 3e, 41e, 4e
    row_2 e, 04e, 0e, 10o, 1o, 21e, 2e, 32o, 3o, 43e, 4e
    row_4 e, 03o, 0o, 14e, 1e, 20e, 2e, 31o, 3o, 42o, 4o
    row_3 e, 01e, 0e, 12e, 1e, 23o, 2o, 34e, 3e, 40o, 4o

    /* The odd half. */
    ldr r3, [r0, #at_33e]
    ldr.w r6, [sp, #change_0o] /* long, so that the long ones behind do not lie across words */
    ldr r2, [sp, #change_1o]
    ldr r9, [sp, #FRAME_CONSTANTS]
    ldr r10, [r0, #at_11o]
    ldr lr, [r0, #at_44o]
    ldr r11, [r9, #-4]
    str r4, [r1, #at_43e]
    theta r3, r7, 3e, r3, 33e
    theta r2, r2, 1o, r10, 11o
    str sum_0, [sp, #parity_0e]
    theta r7, change_4, 4o, lr, 44o
    ldr r8, [r0, #at_00o]
    ldr r4, [sp, #change_2e]
    ldr r10, [r0, #at_22e]
    str r5, [r1, #at_03e]
    theta r6, r6, 0o, r8, 00o
    theta r5, r4, 2e, r10, 22e
    row_0 o
    row_1 o, 02e, 0e, 13e, 1e, 24e, 2e, 30o, 3o, 41o, 4o
    row_2 o, 04o, 0o, 10e, 1e, 21o, 2o, 32e, 3e, 43o, 4o
    row_4 o, 03e, 0e, 14o, 1o, 20o, 2o, 31e, 3e, 42e, 4e
    row_3 o, 01o, 0o, 12o, 1o, 23e, 2e, 34o, 3o, 40e, 4e

    ldr r2, [sp, #parity_0e]
    ldr r3, [sp, #parity_4e]
    ldr r4, [sp, #parity_3e]
    ldr r6, [sp, #parity_2e]
    ldr r12, [sp, #parity_1e]
    str r5, [r1, #at_03o]
    mov r5, r0
    mov r0, r1
    mov r1, r5
    bcc one_round
    str r7, [r0, #at_33o]

    /* After 24 rounds the state is back in the caller's buffer. Our buffer and the registers are wiped. */
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
    .rept FRAME_BYTES / 36
    stmia r0!, {r1-r7, r12, lr}
    .endr
    stmia r0!, {r1-r3}
    mov sp, r0
    .cfi_def_cfa_offset 36
    pop {r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_keccak_permute, . - tatu_internal_keccak_permute
    address_constant round_constants

/* Section 3.2.5, interleaved: of each round twice the word of the even bits, plus one in the last round, and the word
 * of the odd bits. */
    .section .rodata.tatu_internal_keccak_round_constants,"a",%progbits
    .balign 16
round_constants:
    .long 0x00000002, 0x00000000, 0x00000000, 0x00000089, 0x00000000, 0x8000008b, 0x00000000, 0x80008080
    .long 0x00000002, 0x0000008b, 0x00000002, 0x00008000, 0x00000002, 0x80008088, 0x00000002, 0x80000082
    .long 0x00000000, 0x0000000b, 0x00000000, 0x0000000a, 0x00000002, 0x00008082, 0x00000000, 0x00008003
    .long 0x00000002, 0x0000808b, 0x00000002, 0x8000000b, 0x00000002, 0x8000008a, 0x00000002, 0x80000081
    .long 0x00000000, 0x80000081, 0x00000000, 0x80000008, 0x00000000, 0x00000083, 0x00000000, 0x80008003
    .long 0x00000002, 0x80008088, 0x00000000, 0x80000088, 0x00000002, 0x00008000, 0x00000001, 0x80008082

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
