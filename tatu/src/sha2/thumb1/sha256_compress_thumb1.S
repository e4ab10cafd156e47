/* SHA-256's compression function in Thumb-1, for Cortex-M0 and M0+ (FIPS 180-4, section 6.2.2); the C twin is
 * sha256_compress.c.
 *
 *     void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);
 *
 * First all 64 words of the message schedule, to the stack, with every register to itself; then the rounds.
 *
 * Only r0..r7 compute; r8..r12 and lr can be copied and added. So a round keeps there what it only copies: b, c, d,
 * f, g, h. A copy that a sum of rotations or Ch needs anyway costs nothing for being from there. Where things are
 * while rounds run:
 *   A, X            a, and T1 of this round, which becomes the new a: they change names every round
 *   r1              e, and then the new e
 *   u, v            u is b ^ c, which the round before made as its a ^ b; v becomes the next round's u
 *   t, v            temporaries
 *   c11             the rotation by 11, which both sums have
 *   k               walks the round constants
 *   sp              walks the schedule upwards
 *
 * Names are back after six rounds, which are the loop; its first pass begins with its third round, for 6 * 10 + 4
 * are 64.
 *
 * How the cycles are spent: docs/reference/kernels/sha256.md. */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_THUMB1)

#include "../../common/assembly_thumb1.h"

#define k   r0
#define E   r1
#define t   r4
#define c11 r7
#define p   r4

#define LAST_CONSTANT_BYTE 0xf2 /* the low byte of the last round constant, which no other sixth constant has */
#define SCHEDULE_BYTES     256

    .syntax unified
    .thumb

#include "../sha256_round_constants_arm.inc"

/* Step 3. Sums of rotations are nested: sigma1 is ((e>>>13 ^ e)>>>14 ^ e)>>>11, sigma0 ((a>>>9 ^ a)>>>11 ^ a)>>>2.
 * Ch is section 4.1.2's with an operation less; so is Maj = ((a ^ b) & (b ^ c)) ^ b, half of which the round before
 * has made. The registers of h and d take e and a. */
.macro round i, a, x, u, v, b, c, d, f, g, h
    ldr \x, [k, #4 * \i]
    ldr t, [sp, #4 * \i]
    adds \x, t
    add \x, \h
    movs t, E
    movs \v, #13
    rors t, \v
    eors t, E
    movs \v, #14
    rors t, \v
    eors t, E
    rors t, c11
    adds \x, t
    mov t, \f
    mov \v, \g
    eors t, \v
    ands t, E
    eors t, \v
    adds \x, t
    mov \h, E
    movs E, \x
    add E, \d
    movs t, \a
    movs \v, #9
    rors t, \v
    eors t, \a
    rors t, c11
    eors t, \a
    movs \v, #2
    rors t, \v
    adds \x, t
    mov t, \b
    movs \v, \a
    eors \v, t
    ands \u, \v
    eors \u, t
    adds \x, \u
    mov \d, \a
.endm

    .section .text.tatu_internal_sha256_compress,"ax",%progbits
    .balign 8
    .global tatu_internal_sha256_compress
    .hidden tatu_internal_sha256_compress
    .type tatu_internal_sha256_compress, %function
    .thumb_func
tatu_internal_sha256_compress:
    .cfi_startproc
    push_high_registers with=r0
    sub sp, #SCHEDULE_BYTES
    .cfi_adjust_cfa_offset SCHEDULE_BYTES

    /* The block's words, from bytes if they are not aligned. */
    mov r0, sp
    movs r2, #4
    lsls r3, r1, #30
    bne unaligned
aligned:
    ldmia r1!, {r4-r7}
    rev r4, r4
    rev r5, r5
    rev r6, r6
    rev r7, r7
    stmia r0!, {r4-r7}
    subs r2, #1
    bne aligned
    b extend_schedule
unaligned:
    movs r2, #64
1:  ldrb r4, [r1]
    ldrb r5, [r1, #1]
    ldrb r6, [r1, #2]
    ldrb r7, [r1, #3]
    lsls r4, #24
    lsls r5, #16
    lsls r6, #8
    orrs r4, r5
    orrs r6, r7
    orrs r4, r6
    stmia r0!, {r4}
    adds r1, #4
    subs r2, #4
    bne 1b

extend_schedule:
    /* p = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], 16 words behind r0. 48 bytes, which a SAMD21 keeps
     * cached. */
    mov r0, sp
    movs r1, #SCHEDULE_BYTES - 64
    add r1, r0
    mov r8, r1
    movs r1, #11
    movs r2, #7
    movs r3, #17
    ldr p, [r0]
    .balign 8
1:  ldr r5, [r0, #4]
    movs r6, r5
    rors r6, r1
    eors r6, r5
    rors r6, r2
    lsrs r7, r5, #3
    eors r6, r7
    adds p, r6
    ldr r7, [r0, #4 * 14]
    movs r6, #2
    mov r9, r5
    movs r5, r7
    rors r5, r6
    eors r5, r7
    rors r5, r3
    lsrs r7, #10
    eors r5, r7
    adds p, r5
    ldr r7, [r0, #4 * 9]
    adds p, r7
    str p, [r0, #4 * 16]
    mov p, r9
    adds r0, #4
    cmp r0, r8
    bne 1b

    /* The state. The loop is entered where rounds use offsets from 8 on. */
    sub sp, #8
    .cfi_adjust_cfa_offset 8
    ldr r7, [sp, #SCHEDULE_BYTES + 8]
    ldmia r7!, {r2-r5}
    mov r9, r3
    mov r10, r4
    mov r8, r5
    movs r5, r3
    eors r5, r4
    ldmia r7!, {r1, r3, r4, r6}
    mov r12, r3
    mov lr, r4
    mov r11, r6
    ldr k, =round_constants - 8
    cfa_by_constants 0, 20, 24, 0x22, 64
    movs c11, #11
    b third_round
rounds:
    cfa_by_constants 0, 20, 24, 0x22, 64
    round 0, r2, r3, r5, r6, r8, r9, r10, r11, r12, lr
    round 1, r3, r2, r6, r5, r10, r8, r9, lr, r11, r12
third_round:
    round 2, r2, r3, r5, r6, r9, r10, r8, r12, lr, r11
    round 3, r3, r2, r6, r5, r8, r9, r10, r11, r12, lr
    round 4, r2, r3, r5, r6, r10, r8, r9, lr, r11, r12
    round 5, r3, r2, r6, r5, r9, r10, r8, r12, lr, r11
    ldrb t, [k, #20]
    adds k, #24
    cfa_by_constants -24, 20, 24, 0x22, 64
    add sp, #24
    cfa_by_constants -24, 20, 24, 0x22, 40
    cmp t, #LAST_CONSTANT_BYTE
    beq 1f
    b rounds
1:
    .cfi_def_cfa sp, 40
    /* sp has left the schedule. */
    ldr r0, [sp]
    movs r7, r0
    ldmia r7!, {r3-r6}
    adds r3, r2
    add r4, r8
    add r5, r9
    add r6, r10
    stmia r0!, {r3-r6}
    ldmia r7!, {r3-r6}
    adds r3, E
    add r4, r11
    add r5, r12
    add r6, lr
    stmia r0!, {r3-r6}

    /* The schedule is the message: wiped. */
    sub sp, #SCHEDULE_BYTES
    .cfi_adjust_cfa_offset SCHEDULE_BYTES
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    movs r6, #0
    movs r7, #0
    mov r12, r1
    .rept 9
    stmia r0!, {r1-r7}
    .endr
    str r1, [r0]
    add sp, #SCHEDULE_BYTES
    .cfi_adjust_cfa_offset -SCHEDULE_BYTES
    pop {r0, r4-r7}
    .cfi_adjust_cfa_offset -20
    mov r8, r4
    .cfi_restore r8
    mov r9, r5
    .cfi_restore r9
    mov r10, r6
    .cfi_restore r10
    mov r11, r7
    .cfi_restore r11
    pop {r4-r7, pc}
    .cfi_endproc
    .size tatu_internal_sha256_compress, . - tatu_internal_sha256_compress
    .ltorg

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
