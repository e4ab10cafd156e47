/* What an inverse spends its time with (inverse.c), for 32-bit Arm with multiplications that take the same time for
 * every number. The C twins: inverse.c.
 *
 *     uint32_t tatu_internal_inverse_steps(struct matrix *matrix, uint32_t delta, uint32_t f, uint32_t g);
 *     void tatu_internal_inverse_multiply(struct tatu_internal_limbs *a, struct tatu_internal_limbs *b,
 *                                         const struct matrix *matrix, const struct tatu_internal_limbs *modulus,
 *                                         int32_t a_multiple, int32_t b_multiple);
 */
#include "../assembly.h"

#if defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)

#include "../assembly_arm.h"

function tatu_internal_inverse_steps
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    mov r4, #1                  /* ff, fg, gf, gg */
    mov r5, #0
    mov r6, #0
    mov r7, #1
    mov r8, #10
.Lsteps:
    .rept 3
    sbfx r12, r3, #0, #1        /* all ones if g is odd */
    asr r10, r1, #31            /* all ones where g - f is taken, if g is odd */
    and r11, r12, r10
    orr r10, r10, #1
    and r10, r10, r12           /* 1, -1 or 0 */
    mla r3, r2, r10, r3
    mla r6, r4, r10, r6
    mla r7, r5, r10, r7
    mls r2, r3, r11, r2
    mls r4, r6, r11, r4
    mls r5, r7, r11, r5
    eor r1, r1, r11
    sub r1, r1, #1
    lsr r3, r3, #1
    lsl r4, r4, #1
    lsl r5, r5, #1
    .endr
    subs r8, r8, #1
    bne .Lsteps
    stm r0, {r4-r7}
    mov r0, r1
    pop {r4-r11, pc}
end_function tatu_internal_inverse_steps

/* The frame: how often two limbs remain; the registers; and what the caller handed on the stack. */
#define ROUNDS 0
#define A_MULTIPLE 40
#define B_MULTIPLE 44

/* Adds the products of a limb of each number. The carries of a and b are in r10, r11 and r12, lr. */
.macro add_products
    ldr r8, [r0], #4
    ldr r9, [r1], #4
    smlal r10, r11, r4, r8
    smlal r10, r11, r5, r9
    smlal r12, lr, r6, r8
    smlal r12, lr, r7, r9
    ldr r8, [r3], #4
    ldr r9, [sp, #B_MULTIPLE]
    smlal r10, r11, r2, r8
    smlal r12, lr, r9, r8
.endm

.macro shift_carry low, high
    lsr \low, \low, #30
    orr \low, \low, \high, lsl #2
    asr \high, \high, #30
.endm

function tatu_internal_inverse_multiply
    push {r3-r11, lr}
    .cfi_adjust_cfa_offset 40
    saved_at 4, r4, r5, r6, r7, r8, r9, r10, r11, lr
    ldm r2, {r4-r7}
    ldr r2, [sp, #A_MULTIPLE]
    mov r8, #4
    str r8, [sp, #ROUNDS]
    mov r10, #0
    mov r11, #0
    mov r12, #0
    mov lr, #0
    add_products
    shift_carry r10, r11
    shift_carry r12, lr
.Ltwo_limbs:
    .rept 2
    add_products
    bic r8, r10, #0xc0000000
    bic r9, r12, #0xc0000000
    str r8, [r0, #-8]
    str r9, [r1, #-8]
    shift_carry r10, r11
    shift_carry r12, lr
    .endr
    ldr r8, [sp, #ROUNDS]
    subs r8, r8, #1
    str r8, [sp, #ROUNDS]
    bne .Ltwo_limbs
    str r10, [r0, #-4]
    str r12, [r1, #-4]
    pop {r3-r11, pc}
end_function tatu_internal_inverse_multiply

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../assembly_marks.h"
