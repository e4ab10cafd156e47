/* SHA-256's compression function in Thumb-2, for Cortex-M3 and larger (FIPS 180-4, section 6.2.2); the C twin is
 * sha256_compress.c.
 *
 *     void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);
 *
 * Where things are while rounds run:
 *   r6..r12, lr     a..h. A round makes the new a in place of h and the new e in place of d: the names move, no word
 *   does.
 *   u, v            u is b ^ c, which the round before made as its a ^ b; v is free and becomes the next round's u
 *   p, q            W[t-16], which becomes W[t]; W[t-15], which the next round takes for its p
 *   k               walks the round constants
 *   sp              walks down: W[t] is where the last word pushed is, so that all of the schedule is 64 words of
 *                   stack and
 *                   every word is at a constant offset from sp. Nothing lies below sp, where an interrupt could write.
 *
 * Eight rounds are the loop, after which each name is back. Sixteen, for which a ring of 16 words would do, are more
 * than the 1 KB of flash that an STM32F4 keeps cached.
 *
 * How the cycles are spent: docs/reference/kernels/sha256.md. */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_THUMB2)

#include "../../common/assembly_address_arm.h"
#include "../../common/assembly_frames_arm.h"

#define k r0
#define t r5
#define A r6
#define B r7
#define C r8
#define D r9
#define E r10
#define F r11
#define G r12
#define H lr

#define CONSTANTS_END_BYTE 0xf2 /* the low byte of the last round constant, which no other eighth constant has */
#define FIRST_END_BYTE     0x74 /* and of that of round 15 */
#define SCHEDULE_BYTES     256

    .syntax unified
    .thumb
#include "../sha256_round_constants_arm.inc"

/* Section 6.2.2, step 3, without adding W and K. Sums of rotations are nested, so that the last rotation is the
 * addition's. Ch is section 4.1.2's with an operation less; so is Maj = ((a ^ b) & (b ^ c)) ^ b, half of which the
 * round before has made. */
.macro step a, b, c, d, e, f, g, h, u, v
    eor t, \e, \e, ror #5
    eor t, t, \e, ror #19
    add \h, \h, t, ror #6
    eor t, \f, \g
    and t, t, \e
    eor t, t, \g
    add \h, t
    add \d, \h
    eor t, \a, \a, ror #11
    eor t, t, \a, ror #20
    add \h, \h, t, ror #2
    eor \v, \a, \b
    ands \u, \v
    eor \u, \u, \b
    add \h, \u
.endm

/* One of the first 16 rounds: W comes from the block, at q. */
.macro first_round i, a, b, c, d, e, f, g, h, u, v
    ldr r3, [r4], #4
    ldr t, [k, #4 * \i]
    rev r3, r3
    str r3, [sp, #4 * (7 - \i)]
    add \h, r3
    add \h, t
    step \a, \b, \c, \d, \e, \f, \g, \h, \u, \v
.endm

/* One of the others: W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16]. */
.macro round i, a, b, c, d, e, f, g, h, u, v, p, q
    ldr \q, [sp, #4 * (22 - \i)]
    ldr t, [sp, #4 * (9 - \i)]
    ldr \v, [sp, #4 * (14 - \i)]
    add \p, \v
    ror \v, \q, #7
    eor \v, \v, \q, ror #18
    eor \v, \v, \q, lsr #3
    add \p, \v
    ror \v, t, #17
    eor \v, \v, t, ror #19
    eor \v, \v, t, lsr #10
    add \p, \v
    str \p, [sp, #4 * (7 - \i)]
    ldr t, [k, #4 * \i]
    add \h, \p
    add \h, t
    step \a, \b, \c, \d, \e, \f, \g, \h, \u, \v
.endm

    .section .text.tatu_internal_sha256_compress,"ax",%progbits
    .balign 16
    .global tatu_internal_sha256_compress
    .hidden tatu_internal_sha256_compress
    .type tatu_internal_sha256_compress, %function
    .thumb_func
tatu_internal_sha256_compress:
    .cfi_startproc
    push {r0, r4-r11, lr}
    pushed_r4_to_lr 40
    mov r4, r1
    ldm r0, {A, B, C, D, E, F, G, H}
    load_address k, round_constants, 4
    eor r1, B, C
first_rounds:
    cfa_by_constants 0, 28, 32, 0x1c, SCHEDULE_BYTES + 40 - 32
    sub sp, #32
    cfa_by_constants 0, 28, 32, 0x1c, SCHEDULE_BYTES + 40
    first_round 0, A, B, C, D, E, F, G, H, r1, r2
    first_round 1, H, A, B, C, D, E, F, G, r2, r1
    first_round 2, G, H, A, B, C, D, E, F, r1, r2
    first_round 3, F, G, H, A, B, C, D, E, r2, r1
    first_round 4, E, F, G, H, A, B, C, D, r1, r2
    first_round 5, D, E, F, G, H, A, B, C, r2, r1
    first_round 6, C, D, E, F, G, H, A, B, r1, r2
    first_round 7, B, C, D, E, F, G, H, A, r2, r1
    ldrb t, [k, #28]
    adds k, #32
    cfa_by_constants -32, 28, 32, 0x1c, SCHEDULE_BYTES + 40
    cmp t, #FIRST_END_BYTE
    bne first_rounds

    ldr r3, [sp, #4 * 15]
    .balign 4
rounds:
    cfa_by_constants 0, 28, 32, 0x1c, SCHEDULE_BYTES + 40 - 32
    sub sp, #32
    cfa_by_constants 0, 28, 32, 0x1c, SCHEDULE_BYTES + 40
    nop
    round 0, A, B, C, D, E, F, G, H, r1, r2, r3, r4
    round 1, H, A, B, C, D, E, F, G, r2, r1, r4, r3
    round 2, G, H, A, B, C, D, E, F, r1, r2, r3, r4
    round 3, F, G, H, A, B, C, D, E, r2, r1, r4, r3
    round 4, E, F, G, H, A, B, C, D, r1, r2, r3, r4
    round 5, D, E, F, G, H, A, B, C, r2, r1, r4, r3
    round 6, C, D, E, F, G, H, A, B, r1, r2, r3, r4
    round 7, B, C, D, E, F, G, H, A, r2, r1, r4, r3
    ldrb t, [k, #28]
    adds k, #32
    cfa_by_constants -32, 28, 32, 0x1c, SCHEDULE_BYTES + 40
    cmp t, #CONSTANTS_END_BYTE
    bne rounds
    .cfi_def_cfa sp, SCHEDULE_BYTES + 40

    ldr r0, [sp, #SCHEDULE_BYTES]
    ldm r0, {r1-r5}
    add A, r1
    add B, r2
    add C, r3
    add D, r4
    add E, r5
    stmia r0!, {A, B, C, D, E}
    ldm r0, {r1-r3}
    add F, r1
    add G, r2
    add H, r3
    stmia r0!, {F, G, H}

    /* The schedule is the message: wiped. */
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    movs r5, #0
    movs r6, #0
    movs r7, #0
    mov r12, r1
    .rept SCHEDULE_BYTES / 32
    stmia r0!, {r1-r7, r12}
    .endr
    mov sp, r0
    .cfi_def_cfa_offset 40
    pop {r0, r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_sha256_compress, . - tatu_internal_sha256_compress
    address_constant round_constants

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
