/* A product modulo n, the order of P-256's base point, for 32-bit Arm with UMAAL: P. Montgomery, "Modular
 * Multiplication Without Trial Division" (1985), word by word. The C twin: portable/p256_words.c.
 *
 *     uint32_t tatu_internal_p256_order_product(uint32_t result[8], const uint32_t a[8], const uint32_t b[8],
 *                                               const uint32_t order[8], uint32_t inverse);
 *
 * result = a b / 2^256 modulo n, below 2 n. `inverse` is -1/n modulo 2^32. What is above 2^256, 0 or 1, is returned. No
 * branch and no address depends on a number. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#include "../../common/assembly_arm.h"

/* The frame: the end of a, what is above the sum, and the arguments. The sum is in r4 to r11. */
#define END 0
#define ABOVE 4
#define RESULT 8
#define B 12
#define ORDER 16
#define INVERSE 56

function tatu_internal_p256_order_product
    push {r0, r2-r11, lr}
    .cfi_adjust_cfa_offset 48
    saved_at 12, r4, r5, r6, r7, r8, r9, r10, r11, lr
    add r3, r1, #32
    movs r4, #0
    push {r3, r4}
    .cfi_adjust_cfa_offset 8
    .irp word, r5, r6, r7, r8, r9, r10, r11
    mov \word, r4
    .endr
.Lword:
    ldr r0, [r1], #4
    ldr r2, [sp, #B]
    bl .Ladd_multiple
    ldr r3, [sp, #ABOVE]
    ldr r0, [sp, #INVERSE]
    adds r3, r3, r12            /* the carry stays in the flags up to the next sum */
    str r3, [sp, #ABOVE]
    ldr r2, [sp, #ORDER]
    mul r0, r4, r0
    bl .Ladd_multiple
    ldr r3, [sp, #ABOVE]
    mov r2, #0
    adc r2, r2, #0
    adds r3, r3, r12
    adc r2, r2, #0
    /* The lowest word is 0 now. */
    mov r4, r5
    mov r5, r6
    mov r6, r7
    mov r7, r8
    mov r8, r9
    mov r9, r10
    mov r10, r11
    mov r11, r3
    str r2, [sp, #ABOVE]
    ldr r3, [sp, #END]
    cmp r1, r3
    bne .Lword
    ldr r1, [sp, #RESULT]
    mov r0, r2
    stm r1, {r4-r11}
    add sp, sp, #20
    .cfi_adjust_cfa_offset -20
    pop {r4-r11, pc}

    next_frame
/* The sum += r0 times the number at r2. r12 is the carry, r3 is lost, and the flags stay. */
.Ladd_multiple:
    mov r12, #0
    .set .Lplace, 0
    .irp word, r4, r5, r6, r7, r8, r9, r10, r11
    ldr r3, [r2, #.Lplace]
    umaal \word, r12, r0, r3
    .set .Lplace, .Lplace + 4
    .endr
    bx lr
end_function tatu_internal_p256_order_product

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
