/* Keccak-f[1600] for AVR (FIPS 202, section 3.3); the C twin is keccak_permute.c.
 *
 *     void tatu_internal_keccak_permute(uint64_t lanes[25]);
 *
 * A round is two passes over the 200 bytes, in place, and each pass holds its work in registers:
 *
 *   by lanes    rho and pi. A lane is loaded, the one in hand takes its place, the loaded one is rotated, and so on
 *               along pi's cycle of 24. Rotating by bytes is loading into other registers; the rest, 4 bits at most,
 *               is shifted or multiplied.
 *   by slices   chi, iota and the next round's theta, for one byte of each of the 25 lanes, eight times. All 25 bytes
 *               are in registers at once, so that columns' parities need no second reading and what theta changes no
 *               second pass. Theta rotates parities by one bit: the bit that leaves a byte waits in a queue for the
 *               next slice; those that leave the last slice enter the first when the pass by lanes comes by it.
 *
 * Six lanes are held complemented between the passes, which saves chi all but five of its 25 complements a slice:
 * these are 1, 2, 8, 12, 17 and 20, complemented in the first pass and in the last.
 *
 * How the cycles are spent: docs/reference/kernels/sha3.md. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_AVR)

#include "../../common/assembly_avr.h"
#include <avr/io.h>

    .section .progmem.data.tatu_internal_keccak_round_constants,"a",@progbits
/* FIPS 202, section 3.2.5: bytes 7, 3, 1 and 0 of each round's constant; the others are zero. */
round_constants:
    .byte 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x80, 0x82, 0x80, 0x00, 0x80, 0x8a, 0x80, 0x80, 0x80, 0x00
    .byte 0x00, 0x00, 0x80, 0x8b, 0x00, 0x80, 0x00, 0x01, 0x80, 0x80, 0x80, 0x81, 0x80, 0x00, 0x80, 0x09
    .byte 0x00, 0x00, 0x00, 0x8a, 0x00, 0x00, 0x00, 0x88, 0x00, 0x80, 0x80, 0x09, 0x00, 0x80, 0x00, 0x0a
    .byte 0x00, 0x80, 0x80, 0x8b, 0x80, 0x00, 0x00, 0x8b, 0x80, 0x00, 0x80, 0x89, 0x80, 0x00, 0x80, 0x03
    .byte 0x80, 0x00, 0x80, 0x02, 0x80, 0x00, 0x00, 0x80, 0x00, 0x00, 0x80, 0x0a, 0x80, 0x80, 0x00, 0x0a
    .byte 0x80, 0x80, 0x80, 0x81, 0x80, 0x00, 0x80, 0x80, 0x00, 0x80, 0x00, 0x01, 0x80, 0x80, 0x80, 0x08
round_constants_end:

    .section .text.tatu_internal_keccak_permute,"ax",@progbits

/* ---- the pass by lanes ---- */

/* `held` and `spare` are the first of the eight registers that hold a lane, lowest byte first; they change places. */
#define LANE_REGISTERS 2
#define OTHER_LANE_REGISTERS 10

/* The bits that theta's rotation carries from the last slice to the first: FIRST_CARRY + x for column x. */
#define FIRST_CARRY 18
#define TIMES_16    23
#define TIMES_32    24
#define ZERO        25

.set held, LANE_REGISTERS
.set spare, OTHER_LANE_REGISTERS
.set window, 0

.macro exchange
    .set held, held ^ spare
    .set spare, held ^ spare
    .set held, held ^ spare
.endm

/* Y reaches lanes 1 to 8, Z the eight from lane `window` on. */
.macro move_window lane
    subi ZL, lo8(8*(window-\lane))
    sbci ZH, hi8(8*(window-\lane))
    .set window, \lane
.endm

/* Loads a lane into `spare`, rotated left by `bytes`, theta's last carry included. */
.macro load lane, bytes
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if \lane <= 8
    ldd (spare+((\i+\bytes)&7)), Y+8*(\lane-1)+\i
    .else
    ldd (spare+((\i+\bytes)&7)), Z+8*(\lane-window)+\i
    .endif
    .endr
    eor (spare+(\bytes&7)), FIRST_CARRY+\lane%5
.endm

.macro store lane
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if \lane <= 8
    std Y+8*(\lane-1)+\i, held+\i
    .else
    std Z+8*(\lane-window)+\i, held+\i
    .endif
    .endr
.endm

/* The held lane to the place of `lane`, and that one is held, rotated left by `bytes`. */
.macro displace lane, bytes
    load \lane, \bytes
    store \lane
    exchange
.endm

/* The held lane one to three bits to the left: 9 cycles a bit. */
.macro rotate_left bits
    .rept \bits
    lsl held
    .irp i, 1, 2, 3, 4, 5, 6, 7
    rol held+\i
    .endr
    adc held, ZERO
    .endr
.endm

/* To the right: one more. The bits that leave are read off a copy. */
.macro rotate_right bits
    mov r0, held
    .rept \bits
    lsr r0
    .irp i, 7, 6, 5, 4, 3, 2, 1, 0
    ror held+\i
    .endr
    .endr
.endm

/* By as many bits to the left as `factor` is a power of two: 28 cycles. */
.macro rotate_by_multiplying factor
    .irp i, 0, 2, 4, 6
    mul held+\i, \factor
    movw spare+\i, r0
    .endr
    .irp i, 1, 3, 5, 7
    mul held+\i, \factor
    eor spare+\i, r0
    eor (spare+((\i+1)&7)), r1
    .endr
    exchange
.endm

/* ---- the pass by slices ---- */

/* The register of the byte of lane x + 5y, where chi puts it. The numbers that are missing are free after chi: 20, 25,
 * 26, 27. Two aligned pairs, of lanes 11 and 14 and of lanes 12 and 13, have parities begin with MOVW. */
.set byte_0, 2
.set byte_1, 0
.set byte_2, 1
.set byte_3, 3
.set byte_4, 4
.set byte_5, 8
.set byte_6, 6
.set byte_7, 7
.set byte_8, 9
.set byte_9, 5
.set byte_10, 14
.set byte_11, 12
.set byte_12, 10
.set byte_13, 11
.set byte_14, 13
.set byte_15, 15
.set byte_16, 18
.set byte_17, 16
.set byte_18, 17
.set byte_19, 19
.set byte_20, 24
.set byte_21, 21
.set byte_22, 23
.set byte_23, 30
.set byte_24, 22

#define IOTA  30 /* the byte of the round's constant, until row 0 is done */
#define QUEUE 31 /* the bits that left the slice before, as they are used from bit 0 on: of parities 4, 2, 0, 3 */
#define IN_LAST_ROUND 7 /* the bit of QUEUE that says so; T holds the bit that left parity 1 */

/* Y is at the slice's byte of lane 0, 1, 9 or 17, and reaches eight lanes. */
.macro next_eight
    subi YL, lo8(-(64))
    sbci YH, hi8(-(64))
.endm

.macro last_eight
    subi YL, lo8(64)
    sbci YH, hi8(64)
.endm

.macro load_byte to, lane
    ldd \to, Y+8*((\lane-1)&7)
.endm

.macro store_byte lane
    std Y+8*((\lane-1)&7), byte_\lane
.endm

/* to = base ^ (to op with): `to` is a copy, or it is needed no more */
.macro chi to, op, with, base
    \op \to, \with
    eor \to, \base
.endm

.macro add_bytes to, lanes:vararg
    .irp lane, \lanes
    eor \to, byte_\lane
    .endr
.endm

.macro change_bytes with, lanes:vararg
    .irp lane, \lanes
    eor byte_\lane, \with
    .endr
.endm

/* The first theta, for one slice: the state as it comes, six lanes complemented. */
    .type first_slices, @function
first_slices:
    .cfi_startproc
    rcall 4f
4:  rcall 2f
2:  rcall 1f
1:  ld byte_0, Y
    adiw YL, 8
    .irp lane, 1, 2, 3, 4, 5, 6, 7, 8
    load_byte byte_\lane, \lane
    .endr
    next_eight
    .irp lane, 9, 10, 11, 12, 13, 14, 15, 16
    load_byte byte_\lane, \lane
    .endr
    next_eight
    .irp lane, 17, 18, 19, 20, 21, 22, 23, 24
    load_byte byte_\lane, \lane
    .endr
    .irp lane, 1, 2, 8, 12, 17, 20
    com byte_\lane
    .endr
    rjmp theta
    .cfi_endproc
    .size first_slices, . - first_slices

/* Chi, iota and theta for one slice; in the last round chi and iota only, and six lanes complemented back. In and out:
 * Y at the slice's byte of lane 0 and then at the next, QUEUE and T.
 *
 * Chi makes b[i] = a[i] ^ (~a[i + 1] & a[i + 2]) of the bytes a[0] to a[4] of a row. In the order i, i + 3, i + 4,
 * i + 2, i + 1 the first two destroy a[i + 1] and a[i + 4], which are needed later, so one MOVW copies both. Each of
 * the other three destroys a byte that is needed no more. */
    .type slice, @function
slice:
    .cfi_startproc
    ld 4, Y
    adiw YL, 8
    load_byte 0, 1
    load_byte 24, 2
    load_byte 25, 3
    load_byte 1, 4
    movw 2, 0
    chi 2, or, 24, 4
    chi 3, or, 4, 25
    chi 4, and, 0, 1
    chi 1, and, 25, 24
    com 24
    or 24, 25
    eor 0, 24
    eor byte_0, IOTA
    load_byte 5, 5
    load_byte 6, 6
    load_byte 24, 7
    load_byte 25, 8
    next_eight
    load_byte 7, 9
    movw 8, 6
    chi 8, or, 24, 5
    chi 9, or, 5, 25
    chi 5, and, 6, 7
    com 7
    chi 7, or, 25, 24
    and 24, 25
    eor 6, 24
    load_byte 11, 10
    load_byte 14, 11
    load_byte 10, 12
    load_byte 24, 13
    load_byte 25, 14
    movw 12, 10
    chi 12, and, 24, 14
    com 24
    chi 13, and, 14, 25
    chi 14, or, 10, 11
    chi 11, or, 25, 24
    and 24, 25
    eor 10, 24
    load_byte 17, 15
    load_byte 15, 16
    next_eight
    load_byte 16, 17
    load_byte 24, 18
    load_byte 25, 19
    movw 18, 16
    chi 18, or, 24, 15
    com 24
    chi 19, or, 15, 25
    chi 15, and, 16, 17
    chi 17, and, 25, 24
    or 24, 25
    eor 16, 24
    load_byte 20, 20
    load_byte 24, 21
    load_byte 25, 22
    load_byte 21, 23
    load_byte 30, 24
    movw 22, 20
    chi 22, and, 24, 30
    com 24
    chi 23, and, 30, 25
    chi 30, or, 20, 21
    chi 21, or, 25, 24
    and 24, 25
    eor 24, 20
    sbrc QUEUE, IN_LAST_ROUND
    rjmp last_slice

/* Column x is changed by parity x-1 and parity x+1 rotated left by one. A change takes the place of the rotated parity,
 * whose other use was the change before; only parity 1 is copied. The carry is the queue's from its first shift on. */
theta:
    movw 26, byte_11
    add_bytes 26, 1, 6, 16, 21  /* parity 1 */
    add_bytes 27, 4, 9, 19, 24  /* parity 4 */
    mov 20, byte_0
    add_bytes 20, 5, 10, 15, 20 /* parity 0 */
    mov 25, 26
    lsl 25
    bld 25, 0
    bst 26, 7
    eor 25, 27                  /* the change of column 0 */
    change_bytes 25, 0, 5, 10, 15, 20
    store_byte 20               /* its register is needed */
    movw 24, byte_12
    add_bytes 24, 2, 7, 17, 22  /* parity 2 */
    add_bytes 25, 3, 8, 18, 23  /* parity 3 */
    lsr QUEUE                   /* what enters above is not used again */
    rol 27
    eor 27, 24                  /* the change of column 3 */
    change_bytes 27, 3, 8, 13, 18, 23
    ror QUEUE
    rol 24
    eor 24, 20                  /* of column 1 */
    change_bytes 24, 1, 6, 11, 16, 21
    ror QUEUE
    rol 20
    eor 20, 25                  /* of column 4 */
    change_bytes 20, 4, 9, 14, 19, 24
    ror QUEUE
    rol 25
    eor 25, 26                  /* of column 2 */
    change_bytes 25, 2, 7, 12, 17, 22
    ror QUEUE
    swap QUEUE

store_slice:
    .irp lane, 17, 18, 19, 21, 22, 23, 24
    store_byte \lane
    .endr
    last_eight
    .irp lane, 9, 10, 11, 12, 13, 14, 15, 16
    store_byte \lane
    .endr
    last_eight
    .irp lane, 1, 2, 3, 4, 5, 6, 7, 8
    store_byte \lane
    .endr
    sbiw YL, 8
    st Y+, byte_0
    ret

last_slice:
    .irp lane, 1, 2, 8, 12, 17, 20
    com byte_\lane
    .endr
    store_byte 20
    rjmp store_slice
    .cfi_endproc
    .size slice, . - slice

/* ---- all rounds ---- */

    .global tatu_internal_keccak_permute
    .hidden tatu_internal_keccak_permute
    .type tatu_internal_keccak_permute, @function
tatu_internal_keccak_permute:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw YL, r24
    ldi ZL, lo8(round_constants)
    ldi ZH, hi8(round_constants)
    push_registers ZL, ZH
    clt
    clr QUEUE
    rcall first_slices

next_round:
    /* Y is at lane 1 */
    clr FIRST_CARRY+0
    bld FIRST_CARRY+0, 0
    mov FIRST_CARRY+3, QUEUE
    andi FIRST_CARRY+3, 1
    lsr QUEUE
    mov FIRST_CARRY+1, QUEUE
    andi FIRST_CARRY+1, 1
    lsr QUEUE
    mov FIRST_CARRY+4, QUEUE
    andi FIRST_CARRY+4, 1
    lsr QUEUE
    mov FIRST_CARRY+2, QUEUE
    ldi TIMES_16, 16
    ldi TIMES_32, 32
    clr ZERO
    movw ZL, YL
    sbiw ZL, 8
    ld r0, Z
    eor r0, FIRST_CARRY+0
    st Z, r0
    .set window, 0
    move_window 10
    load 1, 0
    exchange
    rotate_left 1
    displace 10, 0
    rotate_left 3
    displace 7, 1
    rotate_right 2
    displace 11, 1
    rotate_left 2
    displace 17, 2
    rotate_right 1
    move_window 16
    displace 18, 2
    rotate_by_multiplying TIMES_32
    displace 3, 3
    rotate_by_multiplying TIMES_16
    displace 5, 4
    rotate_by_multiplying TIMES_16
    displace 16, 5
    rotate_by_multiplying TIMES_32
    displace 8, 7
    rotate_right 1
    displace 21, 0
    rotate_left 2
    move_window 17
    displace 24, 2
    rotate_right 2
    displace 4, 3
    rotate_left 3
    move_window 15
    displace 15, 5
    rotate_left 1
    move_window 16
    displace 23, 7
    displace 19, 1
    move_window 12
    displace 13, 3
    rotate_left 1
    displace 12, 5
    rotate_left 3
    displace 2, 0
    rotate_right 2
    move_window 14
    displace 20, 2
    rotate_left 2
    displace 14, 5
    rotate_right 1
    move_window 15
    displace 22, 7
    rotate_by_multiplying TIMES_32
    move_window 9
    displace 9, 2
    rotate_by_multiplying TIMES_16
    displace 6, 5
    rotate_by_multiplying TIMES_16
    store 1

    pop_registers ZH, ZL
    lpm r2, Z+
    lpm r3, Z+
    lpm r4, Z+
    lpm r5, Z+
    push_registers ZL, ZH
    push_values r2, r3, r4, r5
    clr QUEUE
    clt
    cpi ZL, lo8(round_constants_end)
    brne not_the_last
    ldi QUEUE, 1 << IN_LAST_ROUND
not_the_last:
    sbiw YL, 8
    pop_values IOTA
    rcall slice
    pop_values IOTA
    rcall slice
    clr IOTA
    rcall slice
    pop_values IOTA
    rcall slice
    clr IOTA
    rcall slice
    clr IOTA
    rcall slice
    clr IOTA
    rcall slice
    pop_values IOTA
    rcall slice
    sbrs QUEUE, IN_LAST_ROUND
    rjmp next_round

    pop_registers r0 /* the round constants' address */
    pop_registers r0
    clr r1
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_keccak_permute, . - tatu_internal_keccak_permute

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
