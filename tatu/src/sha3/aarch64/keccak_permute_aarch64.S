/* Keccak-f[1600] for AArch64 (FIPS 202, section 3.3); the C twin is keccak_permute.c.
 *
 *     void tatu_internal_keccak_permute(uint64_t lanes[25]);
 *
 * All lanes are in registers, lane (x, y) in `a_xy`. No instruction only rotates. Each lane is kept rotated to the
 * right by an amount that is known here, `s_xy`. Where two lanes meet, the shifted operand adds the difference of their
 * amounts, and the result is rotated as the first operand is. So rho costs nothing. A round can be a loop only if its
 * results are rotated as its operands were. These are equations; the choice of each column's first operand in theta,
 * from row 0 or from row 4, solves them. On a Cortex-A53 this also avoids EXTR, which would issue alone.
 *
 * Pi is in the same instruction as theta's addition: a lane is changed and moves into the register of the one that
 * moved before it.
 *
 * x18 belongs to the platform (AAPCS64, section 6.1.1). How the cycles are spent: docs/reference/kernels/sha3.md. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_AARCH64)

#include "../../common/assembly_aarch64.h"

/* The frame: where the next round's constant is; the lane that pi moves last; the caller's state; x19 to x30. */
#define FRAME_CONSTANTS 0
#define FRAME_LANE      8
#define FRAME_STATE     16
#define FRAME_SAVED     32
#define FRAME_BYTES     128

    a_00 .req x1
    a_10 .req x2
    a_20 .req x3
    a_30 .req x4
    a_40 .req x5
    a_01 .req x6
    a_11 .req x7
    a_21 .req x8
    a_31 .req x9
    a_41 .req x10
    a_02 .req x11
    a_12 .req x12
    a_22 .req x13
    a_32 .req x14
    a_42 .req x15
    a_03 .req x16
    a_13 .req x17
    a_23 .req x19
    a_33 .req x20
    a_43 .req x21
    a_04 .req x22
    a_14 .req x23
    a_24 .req x24
    a_34 .req x25
    a_44 .req x26

    t0 .req x0
    t1 .req x27
    t2 .req x28
    t3 .req x29
    t4 .req x30

/* By how much they are turned: each lane, row by row, and theta's change of each column. */
    .set s_00, 0; .set s_10, 42; .set s_20, 21; .set s_30, 22; .set s_40, 36
    .set s_01, 29; .set s_11, 42; .set s_21, 3; .set s_31, 43; .set s_41, 39
    .set s_02, 63; .set s_12, 48; .set s_22, 26; .set s_32, 30; .set s_42, 18
    .set s_03, 49; .set s_13, 36; .set s_23, 8; .set s_33, 57; .set s_43, 57
    .set s_04, 40; .set s_14, 56; .set s_24, 61; .set s_34, 41; .set s_44, 0
    .set d_0, 0; .set d_1, 62; .set d_2, 42; .set d_3, 1; .set d_4, 22

/* to = word ^ other, turned as word is */
.macro add_turned to, word, turn, other, other_turn
    eor \to, \word, \other, ror #((\turn - (\other_turn)) & 63)
.endm

/* Theta and pi (FIPS 202, sections 3.2.1 and 3.2.3): lane \from, of column \x whose change is \change, goes to where
 * lane \to was. */
.macro move to, from, x, change
    add_turned a_\to, \change, d_\x, a_\from, s_\from
.endm

/* The complement of lane \x1 and the following one, which chi adds to the one before (section 3.2.4). */
.macro term to, y, x1, x2
    bic \to, a_\x2\y, a_\x1\y, ror #((s_\x2\y - s_\x1\y) & 63)
.endm

.macro chi y
    term t0, \y, 1, 2
    term t1, \y, 0, 1
    term t2, \y, 4, 0
    term t3, \y, 2, 3
    add_turned a_0\y, a_0\y, s_0\y, t0, s_2\y
    term t0, \y, 3, 4
    add_turned a_4\y, a_4\y, s_4\y, t1, s_1\y
    add_turned a_3\y, a_3\y, s_3\y, t2, s_0\y
    add_turned a_1\y, a_1\y, s_1\y, t3, s_3\y
    add_turned a_2\y, a_2\y, s_2\y, t0, s_4\y
.endm

/* Lanes as the caller has them, to those of the rounds and back. EOR with zero, because ROR is EXTR. */
.macro turn_right lane
    eor a_\lane, xzr, a_\lane, ror #s_\lane
.endm

.macro turn_left lane
    eor a_\lane, xzr, a_\lane, ror #((64 - s_\lane) & 63)
.endm

.macro for_all_lanes do
    \do 00
    \do 10
    \do 20
    \do 30
    \do 40
    \do 01
    \do 11
    \do 21
    \do 31
    \do 41
    \do 02
    \do 12
    \do 22
    \do 32
    \do 42
    \do 03
    \do 13
    \do 23
    \do 33
    \do 43
    \do 04
    \do 14
    \do 24
    \do 34
    \do 44
.endm

    .section .rodata.tatu_internal_keccak_round_constants,"a",%progbits
    .balign 256
    .space 64 /* so that the end is where the low byte of the address is 0 */
/* Section 3.2.5 */
round_constants:
    .quad 0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000
    .quad 0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009
    .quad 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a
    .quad 0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003
    .quad 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a
    .quad 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008

    .section .text.tatu_internal_keccak_permute,"ax",%progbits
    .balign 16
    .global tatu_internal_keccak_permute
    .hidden tatu_internal_keccak_permute
    .type tatu_internal_keccak_permute, %function
tatu_internal_keccak_permute:
    .cfi_startproc
    enter
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    save_registers FRAME_SAVED
    adrp t1, round_constants
    add t1, t1, :lo12:round_constants
    str t1, [sp, #FRAME_CONSTANTS]
    str x0, [sp, #FRAME_STATE]
    ldp a_00, a_10, [x0, #0]
    ldp a_20, a_30, [x0, #16]
    ldp a_40, a_01, [x0, #32]
    ldp a_11, a_21, [x0, #48]
    ldp a_31, a_41, [x0, #64]
    ldp a_02, a_12, [x0, #80]
    ldp a_22, a_32, [x0, #96]
    ldp a_42, a_03, [x0, #112]
    ldp a_13, a_23, [x0, #128]
    ldp a_33, a_43, [x0, #144]
    ldp a_04, a_14, [x0, #160]
    ldp a_24, a_34, [x0, #176]
    ldr a_44, [x0, #192]
    for_all_lanes turn_right
    .balign 16
one_round:
    /* The columns' parities. */
    add_turned t0, a_00, s_00, a_01, s_01
    add_turned t1, a_10, s_10, a_11, s_11
    add_turned t2, a_24, s_24, a_21, s_21
    add_turned t3, a_30, s_30, a_31, s_31
    add_turned t4, a_44, s_44, a_41, s_41
    add_turned t0, t0, s_00, a_02, s_02
    add_turned t1, t1, s_10, a_12, s_12
    add_turned t2, t2, s_24, a_22, s_22
    add_turned t3, t3, s_30, a_32, s_32
    add_turned t4, t4, s_44, a_42, s_42
    add_turned t0, t0, s_00, a_03, s_03
    add_turned t1, t1, s_10, a_13, s_13
    add_turned t2, t2, s_24, a_23, s_23
    add_turned t3, t3, s_30, a_33, s_33
    add_turned t4, t4, s_44, a_43, s_43
    add_turned t0, t0, s_00, a_04, s_04
    add_turned t1, t1, s_10, a_14, s_14
    add_turned t2, t2, s_24, a_20, s_20
    add_turned t3, t3, s_30, a_34, s_34
    add_turned t4, t4, s_44, a_40, s_40
    /* The columns' changes: the parity of the column before, and that of the column behind rotated by one. */
    str a_10, [sp, #FRAME_LANE]
    add_turned a_10, t2, s_24 + 1, t0, s_00
    add_turned t2, t4, s_44 + 1, t2, s_24
    add_turned t4, t4, s_44, t1, s_10 + 1
    add_turned t1, t1, s_10, t3, s_30 + 1
    add_turned t3, t3, s_30, t0, s_00 + 1
    mov t0, a_10
    /* Pi: its one cycle of 24 lanes, and lane (0, 0), which stays. */
    move 10, 11, 1, t0
    move 11, 41, 4, t3
    move 41, 24, 2, t1
    move 24, 42, 4, t3
    move 42, 04, 0, t4
    move 04, 20, 2, t1
    move 20, 22, 2, t1
    move 22, 32, 3, t2
    move 32, 43, 4, t3
    move 43, 34, 3, t2
    move 34, 03, 0, t4
    move 03, 40, 4, t3
    move 40, 44, 4, t3
    move 44, 14, 1, t0
    move 14, 31, 3, t2
    move 31, 13, 1, t0
    move 13, 01, 0, t4
    move 01, 30, 3, t2
    move 30, 33, 3, t2
    move 33, 23, 2, t1
    move 23, 12, 1, t0
    move 12, 21, 2, t1
    move 21, 02, 0, t4
    ldr a_02, [sp, #FRAME_LANE]
    move 00, 00, 0, t4
    add_turned a_02, t0, d_1, a_02, s_10
    chi 0
    ldr t4, [sp, #FRAME_CONSTANTS]
    chi 1
    add t4, t4, #8
    tst t4, #0xff
    str t4, [sp, #FRAME_CONSTANTS]
    chi 2
    ldr t4, [t4, #-8]
    chi 3
    eor a_00, a_00, t4 /* iota */
    chi 4
    b.ne one_round

    for_all_lanes turn_left
    ldr x0, [sp, #FRAME_STATE]
    stp a_00, a_10, [x0, #0]
    stp a_20, a_30, [x0, #16]
    stp a_40, a_01, [x0, #32]
    stp a_11, a_21, [x0, #48]
    stp a_31, a_41, [x0, #64]
    stp a_02, a_12, [x0, #80]
    stp a_22, a_32, [x0, #96]
    stp a_42, a_03, [x0, #112]
    stp a_13, a_23, [x0, #128]
    stp a_33, a_43, [x0, #144]
    stp a_04, a_14, [x0, #160]
    stp a_24, a_34, [x0, #176]
    str a_44, [x0, #192]
    str xzr, [sp, #FRAME_LANE]
    restore_registers FRAME_SAVED
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -FRAME_BYTES
    leave
    .cfi_endproc
    .size tatu_internal_keccak_permute, . - tatu_internal_keccak_permute

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
