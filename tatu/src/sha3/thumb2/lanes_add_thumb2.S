/* Whole lanes of input interleaved, turned and added to the state's, for Thumb-2: add_lane() of lanes_interleaved.c
 * for several, with its masks in registers. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_LANES_IN_THUMB2)

#include "../../common/assembly_frames_arm.h"

    .syntax unified
    .thumb

/* Changes the upper of each pair of groups of \bits bits in r4 for the lower one in r5. */
.macro exchange bits, lower_groups
    eor r12, r5, r4, lsr #\bits
    and r12, r12, \lower_groups
    eor r5, r5, r12
    eor r4, r4, r12, lsl #\bits
.endm

/* void tatu_internal_interleaved_add_lanes(uint64_t *lanes, const uint8_t *input, size_t count, const uint8_t
 * *turns) */
    .section .text.tatu_internal_interleaved_add_lanes, "ax", %progbits
    .global tatu_internal_interleaved_add_lanes
    .hidden tatu_internal_interleaved_add_lanes
    .type tatu_internal_interleaved_add_lanes, %function
    .thumb_func
    .align 2
tatu_internal_interleaved_add_lanes:
    .cfi_startproc
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    mov r8, #0x00ff00ff
    mov r9, #0x0f0f0f0f
    mov r10, #0x33333333
    mov r11, #0x55555555
    add r2, r3, r2, lsl #1 /* the end of the turns */
.Llane:
    ldr r4, [r1], #4
    ldr r5, [r1], #4
    eor r12, r5, r4, lsr #16
    uxth r12, r12
    eor r5, r5, r12
    eor r4, r4, r12, lsl #16
    exchange 8, r8
    exchange 4, r9
    ldrb r6, [r3], #1
    ldrb r7, [r3], #1
    exchange 2, r10
    exchange 1, r11
    ror r4, r4, r6
    ror r5, r5, r7
    ldrd r6, r7, [r0]
    cmp r3, r2
    eor r6, r6, r4
    eor r7, r7, r5
    strd r6, r7, [r0], #8
    bne .Llane
    pop {r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_interleaved_add_lanes, . - tatu_internal_interleaved_add_lanes

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
