/* Whole lanes of input interleaved and added to the state's, for Armv6-M: add_lane() of lanes_interleaved.c for
 * several. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_LANES_IN_THUMB1)

#include "../../common/assembly_frames_arm.h"

/* The state as keccak_permute_thumb1.S has it: rows 0 to 2 of the even words, the same of the odd ones, rows 3 and 4 of
 * the even words, of the odd ones. So the odd word of a lane is 15 or 10 words behind its even word. */
#define LOWER_BYTES 60
#define UPPER_BYTES 40

    .syntax unified
    .thumb

/* Changes the upper of each pair of groups of \bits bits in r4 for the lower one in r5. */
.macro exchange bits, lower_groups
    lsrs r6, r4, #\bits
    eors r6, r5
    ldr r2, =\lower_groups
    ands r6, r2
    eors r5, r6
    lsls r6, r6, #\bits
    eors r4, r6
.endm

/* A word of input at any address. Destroys r6. */
.macro load_bytes word, offset
    ldrb \word, [r1, #\offset + 3]
    .irp byte, 2, 1, 0
    lsls \word, \word, #8
    ldrb r6, [r1, #\offset + \byte]
    orrs \word, r6
    .endr
.endm

/* void tatu_internal_interleaved_add_lanes(uint64_t lanes[25], const uint8_t *input, size_t index, size_t end): those
 * from `index` on and below `end`, at least one.
 *
 *   r0              the even word of the lane
 *   r3, r12         its value behind the last lane; the same, or where row 3 begins
 *   r4, r5          the lane of input
 *   r7              how far the odd word is from the even one */
    .section .text.tatu_internal_interleaved_add_lanes, "ax", %progbits
    .global tatu_internal_interleaved_add_lanes
    .hidden tatu_internal_interleaved_add_lanes
    .type tatu_internal_interleaved_add_lanes, %function
    .thumb_func
    .align 2
tatu_internal_interleaved_add_lanes:
    .cfi_startproc
    push {r4-r7, lr}
    .cfi_adjust_cfa_offset 20
    saved_at 0, r4, r5, r6, r7, lr
    lsls r2, r2, #2
    lsls r3, r3, #2
    adds r3, r0, r3
    movs r4, r0
    adds r4, #LOWER_BYTES
    adds r0, r0, r2
    movs r7, #LOWER_BYTES
    cmp r0, r4
    bhs .Lupper_rows
    mov r12, r4
    cmp r4, r3
    bls .Llane
    mov r12, r3
.Llane:
    lsls r6, r1, #30
    bne .Lbytes
    ldmia r1!, {r4, r5}
.Lloaded:
    lsrs r6, r4, #16
    eors r6, r5
    uxth r6, r6
    eors r5, r6
    lsls r6, r6, #16
    eors r4, r6
    exchange 8, 0x00ff00ff
    exchange 4, 0x0f0f0f0f
    exchange 2, 0x33333333
    exchange 1, 0x55555555
    ldr r2, [r0, r7]
    eors r2, r5
    str r2, [r0, r7]
    ldr r2, [r0]
    eors r2, r4
    stmia r0!, {r2}
    cmp r0, r12
    bne .Llane
    cmp r0, r3
    beq .Lend
.Lupper_rows:
    adds r0, #LOWER_BYTES
    adds r3, #LOWER_BYTES
    mov r12, r3
    movs r7, #UPPER_BYTES
    b .Llane
.Lbytes:
    load_bytes r4, 0
    load_bytes r5, 4
    adds r1, #8
    b .Lloaded
.Lend:
    pop {r4-r7, pc}
    .cfi_endproc
    .size tatu_internal_interleaved_add_lanes, . - tatu_internal_interleaved_add_lanes
    .ltorg

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
