/* Loads from two arrays in every neighbourhood, in Thumb code. Beside each function is how many groups begin in `late`,
 * counted by hand by the rules of docs/reference/cores-cortex-m.md. */
    .syntax unified
    .thumb
    .text

    .macro function name
    .balign 4
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endm

function alone /* 2 */
    ldr r1, [r0]
    nop
    ldrb r1, [r0, #4]
    bx lr

function one_behind_another /* 1 */
    ldr r1, [r0]
    ldrh.w r2, [r0, #4]
    ldrsb r3, [r0, r7]
    ldr r2, [r0, r7, lsl #1]
    bx lr

function address_from_the_load_before /* 2: the second, and the third, which has it as its index */
    ldr r1, [r4]
    ldr r1, [r1]
    ldr r2, [r0, r1]
    bx lr

function store_between /* 2 */
    ldr r1, [r0]
    str r1, [r0, #8]
    ldr r1, [r0, #4]
    bx lr

function only_stores /* 0 */
    str r1, [r0]
    stmia.w r0, {r1, r2}
    strd r1, r2, [r0]
    push {r0-r3}
    add sp, #16
    bx lr

function several_at_once /* 3 */
    ldmia.w r0, {r1, r2, r3}
    ldrd r1, r2, [r0]
    ldr r1, [r0]
    ldr r2, [r0, #4]
    bx lr

function begins_elsewhere /* 0: the bus is asked for the second while the first is under way */
    ldr r1, [r5]
    ldr r2, [r0]
    bx lr

function written_back /* 3: the last two write back the base of the load before them */
    ldr r1, [r5]
    nop
    ldr r1, [r6], #4
    ldr r2, [r6], #4
    ldr r3, [r6], #4
    bx lr

function in_a_loop /* 10: a taken branch ends a group */
    movs r3, #10
1:  ldr r1, [r0]
    ldr r2, [r0, #4]
    subs r3, #1
    bne 1b
    bx lr

function not_executed /* 1 */
    cmp r0, #0
    it eq
    ldreq r1, [r0]
    nop
    ldr r1, [r0]
    bx lr

    .global _start
    .thumb_func
_start:
    ldr r8, =late
    .irp name, alone, one_behind_another, address_from_the_load_before, store_between, only_stores, several_at_once, \
        begins_elsewhere, written_back, in_a_loop, not_executed
    mov r0, r8
    mov r6, r8
    ldr r4, =pointer
    ldr r5, =elsewhere
    movs r7, #4
    movs r1, #0
    str r1, [r0]
    ldr r1, =late
    str r1, [r4]
    bl \name
    .endr
    movs r0, #0
    movs r7, #1
    svc #0
    .ltorg

    .bss
    .balign 4
pointer: .space 4
    .global late
late: .space 64
    .global elsewhere
elsewhere: .space 16
