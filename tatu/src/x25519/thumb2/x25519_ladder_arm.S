/* X25519's arithmetic modulo 2^255 - 19 and its ladder for 32-bit Arm with UMAAL (RFC 7748, section 5). The C twins:
 * portable/field25519.c, and the loop in portable/x25519_words.c. How it is made: docs/reference/kernels/x25519.md.
 *
 * Numbers are eight words of 32 bits. The local functions have an interface of their own: r0, r1 and r2 are the
 * addresses of the result and of the operands, and every register except sp is lost. No branch and no address depends
 * on a number. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/thumb2/products_arm.inc"

/* Of 32 bits where a shorter form exists. products_arm.inc says why. */
#if defined(__thumb__)
#define WIDE .w
#define LDR_WIDE ldr.w
#define LSLS_WIDE lsls.w
#define MOVS_WIDE movs.w
#else
#define WIDE
#define LDR_WIDE ldr
#define LSLS_WIDE lsls
#define MOVS_WIDE movs
#endif

/* For the same reason: what follows is a halfword further on. */
.macro behind_halfword
#if defined(__thumb__)
    nop
#endif
.endm

/* What the frame of every function begins with: the lower words of a product, a word of the half before, and what a
 * local function keeps. */
#define SPILLED 32
#define RESULT 36
#define B 40
#define LINK 44
#define PRODUCT_BYTES 48

/* The rest of the frame of the ladder: numbers, the scalar, the bit's number, the value of the bit before, where the
 * result goes, and what square_repeatedly keeps. */
#define X1 48
#define X2 80
#define Z2 112
#define X3 144
#define Z3 176
#define T0 208
#define T1 240
#define T2 272
#define T3 304
#define AA 336
#define BB 368
#define SCALAR 400
#define BIT 432
#define U_RESULT 436
#define COUNT 440
#define CALLER 444
#define FRAME_BYTES 452

/* ---- sums and differences of numbers ---- */

/* first and next: the operation without a carry and with one. r2, r11 and r12 are lost. */
.macro for_number first, next
    ldm r1!, {r2, r11, r12}
    \first r3, r3, r2
    \next r4, r4, r11
    \next r5, r5, r12
    ldm r1!, {r2, r11, r12}
    \next r6, r6, r2
    \next r7, r7, r11
    \next r8, r8, r12
    ldm r1, {r2, r11}
    \next r9, r9, r2
    \next r10, r10, r11
.endm

/* r3 to r10 += r2 and seven words r11. */
.macro add_words
    adds r3, r3, r2
    .irp word, r4, r5, r6, r7, r8, r9, r10
    adcs \word, \word, r11
    .endr
.endm

/* r2 and seven words r11 = 38 if an addition carried, else 0; -38 if a subtraction borrowed, else 0. */
.macro carried
    sbcs r2, r2, r2
    mvns r2, r2
    and r2, r2, #38
    mov r11, #0
.endm
.macro borrowed
    sbc r11, r11, r11
    bic r2, r11, #37
.endm

/* r3 to r10 += the number at r1, both below 2^255 + 2^230: if the sum reaches 2^256, the rest is below 2^231. */
.macro add_number
    for_number adds, adcs
    carried
.endm

/* r3 to r10 -= the number at r1, both below 2^255 + 2^230. A negative difference wraps to 2^256 more, so 38 is taken
 * off it. */
.macro subtract_number
    for_number subs, sbcs
    borrowed
.endm

/* The same for any numbers. If 38 carries again, the lowest word is below 38 then. */
.macro add_any_number
    add_number
    add_words
    carried
    add r3, r3, r2
.endm
/* If -38 borrows, that is, does not carry where it is not 0, the lowest word is above 2^32 - 38 then. */
.macro subtract_any_number
    subtract_number
    add_words
    sbc r12, r12, r12           /* all ones without a carry */
    and r2, r2, r12
    add r3, r3, r2
.endm

/* r3 to r10 += 121665 times the number at r1. The highest word goes first: what is from bit 255 on, below 2^19, comes
 * in again times 19 as the carry of the lowest word. */
.macro add_multiple
    movw lr, #121665 & 0xffff
    movt lr, #121665 >> 16
    mov r11, #0
    ldr r2, [r1, #28]
    umaal r10, r11, lr, r2
    lsls r10, r10, #1
    adc r11, r11, r11
    movs r2, #19
    mul r11, r2, r11
    lsr r10, r10, #1
    ldm r1!, {r2, r12}
    umaal r3, r11, lr, r2
    umaal r4, r11, lr, r12
    ldm r1!, {r2, r12}
    umaal r5, r11, lr, r2
    umaal r6, r11, lr, r12
    ldm r1, {r1, r2, r12}
    umaal r7, r11, lr, r1
    umaal r8, r11, lr, r2
    umaal r9, r11, lr, r12
    add r10, r10, r11
.endm

/* ---- the ladder ---- */

/* Loads r3 to r10 from 32 bytes at any address, or stores them there. */
.macro for_bytes operation, address
    .set .Lfor_byte, 0
    .irp word, r3, r4, r5, r6, r7, r8, r9, r10
    \operation \word, [\address, #.Lfor_byte]
    .set .Lfor_byte, .Lfor_byte + 4
    .endr
.endm

.macro store_number place
    add r0, sp, #\place
    stm r0, {r3-r10}
.endm

/* The number in the frame at `result`, and r3 to r10, = `function`, sum or difference, of the number at `pair` and the
 * one behind it. */
.macro combine function, result, pair
    add r0, sp, #\result
    add r1, sp, #\pair
    bl \function
.endm

.macro multiply result, a, b
    add r0, sp, #\result
    add r1, sp, #\a
    add r2, sp, #\b
    bl multiply
.endm

/* b is also in r3 to r10. */
.macro multiply_loaded result, a, b
    add r0, sp, #\result
    add r1, sp, #\a
    add r2, sp, #\b + 16
    bl multiply_loaded
.endm

/* The number at r0 and in r3 to r10 */
.macro square_in_place
    add r1, r0, #16
    bl square_loaded
.endm

/* The number in the frame at `result`, and r3 to r10, = the square of those in r3 to r10 where the flags GE are set,
 * else of the one at `other`. */
.macro square_selected result, other
    add r1, sp, #\other
    add r0, sp, #\result
    bl square_selected
.endm

/* uint8_t tatu_internal_x25519_arm(uint8_t result[32], const uint8_t scalar[32], const uint8_t u[32]): what
 * multiply_point of portable/x25519_words.c does.
 * void tatu_internal_x25519_ladder_arm(uint32_t result[2][8], const uint8_t scalar[32], const uint8_t u[32]): x2 and z2
 * instead. */
#if defined(TATU_INTERNAL_X25519_INVERTS_BY_POWERS)
function tatu_internal_x25519_arm
#else
function tatu_internal_x25519_ladder_arm
#endif
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #U_RESULT]
    for_bytes ldr, r1
    bic r3, r3, #7
    bic r10, r10, #0x80000000
    orr r10, r10, #0x40000000
    store_number SCALAR
    for_bytes ldr, r2
    bic r10, r10, #0x80000000
    store_number X1
    store_number X3
    /* x2 = 1, z2 = 0, z3 = 1 */
    movs r3, #1
    movs r4, #0
    movs r5, #0
    movs r6, #0
    movs r7, #0
    mov r8, #0
    mov r9, #0
    mov r10, #0
    store_number X2
    store_number Z3
    movs r3, #0
    store_number Z2
    MOVS_WIDE r4, #254

/* The names are those of RFC 7748, section 5. Instead of swapping (x2, z2) with (x3, z3), the squares are taken of the
 * one or the other: a swap would exchange DA and CB, of which only the sum and the square of the difference matter. */
.Lstep:
    str r4, [sp, #BIT]
    add r1, sp, #SCALAR
    lsrs r2, r4, #3
    and r4, r4, #7
    ldrh r1, [r1, r2]                       /* the byte with the bit, and the next one */
    lsrs r1, r1, r4
    eor r1, r1, r1, lsr #1
    sbfx r1, r1, #0, #1
    uadd8 r1, r1, r1                        /* GE: whether the bit and the bit before differ */
    combine sum, T0, X2                     /* A */
    combine difference, T1, X2              /* B */
    combine sum, T2, X3                     /* C */
    square_selected AA, T0
    combine difference, T3, X3              /* D */
    square_selected BB, T1
    /* The first step adds the point to none, and behind the last three, whose bits are 0, the other sum is not needed:
     * these only double. */
    ldr r4, [sp, #BIT]
    sub r4, r4, #3
    cmp r4, #254 - 3
    bhs 1f
    multiply T0, T0, T3                     /* DA */
    multiply T1, T1, T2                     /* CB */
    combine sum, X3, T0
    square_in_place
    combine difference, Z3, T0
    square_in_place
    multiply_loaded Z3, X1, Z3
1:  multiply X2, AA, BB
    combine difference, T0, AA              /* E */
    mov r1, r0
    add r0, sp, #AA
    ldm r0, {r3-r10}
    add_multiple
    add r0, sp, #T1
    stm r0, {r3-r10}
    multiply_loaded Z2, T0, T1
    ldr r4, [sp, #BIT]
    subs r4, r4, #1
    bpl .Lstep
#if defined(TATU_INTERNAL_X25519_INVERTS_BY_POWERS)
    /* x2 / z2: z2^(2^255 - 21), by a table. The exponent 2^n - 1 is written "n ones". */
    adr r12, .Lchain
    ldrb r2, [r12]
2:  ldrb r1, [r12, #1]
    str r12, [sp, #BIT]
    add r0, sp, #T2
    add r1, sp, r1, lsl #4
    bl square_repeatedly
    ldr r12, [sp, #BIT]
    add r2, sp, #T2 + 16
    ldrb r1, [r12, #2]
    ldrb r0, [r12, #3]
    add r1, sp, r1, lsl #4
    add r0, sp, r0, lsl #4
    bl multiply_loaded
    ldr r12, [sp, #BIT]
    ldrb r2, [r12, #4]!
    cmp r2, #0
    bne 2b
    multiply X2, X2, T0
    add r0, sp, #X2
    ldm r0, {r3-r10}
    /* The number + 19 has bit 255 exactly if the number >= p; without that bit it is then the number - p. Else 19 is
     * taken off again. */
    movs r2, #19
    mov r11, #0
    bl add_and_store
    lsr r11, r10, #31
    sub r11, r11, #1
    bic r2, r11, #18
    bl add_and_store
    bic r10, r10, #0x80000000
    ldr r0, [sp, #U_RESULT]
    for_bytes str, r0
    /* Are all of them 0? */
    .irp word, r4, r5, r6, r7, r8, r9, r10
    orr r3, r3, \word
    .endr
    clz r0, r3
    lsr r0, r0, #5
#else
    ldr r0, [sp, #U_RESULT]
    add r1, sp, #X2
    ldm r1!, {r3-r10}
    stm r0!, {r3-r10}
    ldm r1, {r3-r10}
    stm r0, {r3-r10}
#endif
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
#if defined(TATU_INTERNAL_X25519_INVERTS_BY_POWERS)
end_function tatu_internal_x25519_arm
    .balign 4
.Lchain:
#include "../x25519_inverse_chain_arm.inc"
    .balign 4
#else
end_function tatu_internal_x25519_ladder_arm
#endif

.macro local_function name
    .type \name, %function
#if defined(__thumb__)
    .thumb_func
#endif
\name:
.endm

/* The number at r0, and r3 to r10, = the sum or the difference of the number at r1 and the one behind it. */
    .section .text.tatu_internal_x25519_sums, "ax", %progbits
    .align 2
    local_function sum
    .cfi_startproc
    ldm r1!, {r3-r10}
    add_number
    b add_and_store
    behind_halfword
    local_function difference
    ldm r1!, {r3-r10}
    subtract_number
/* The number at r0, and r3 to r10, += r2 and seven words r11. */
    local_function add_and_store
    add_words
    stm r0, {r3-r10}
    bx lr
    .cfi_endproc

/* ---- products modulo 2^255 - 19 ---- */

/* 2^256 is 38. The highest word goes first: `word` is that of the lower half, `high` that of the upper half. What is
 * from bit 255 on comes in again times 19 as the carry of the lowest word, at most 77 times 19. So the result is
 * below 2^255 + 2^230. `scratch` is lost. */
.macro reduce_highest word, high, carry, thirty_eight, scratch
    mov \thirty_eight, #38
    mov \scratch, #0
    umaal \word, \scratch, \thirty_eight, \high
    mov \carry, #19
    LSLS_WIDE \word, \word, #1
    adc \scratch, \scratch, \scratch
    lsr \word, \word, #1
    mul \carry, \scratch, \carry
.endm

    .section .text.tatu_internal_field25519_products, "ax", %progbits
    .align 2
    local_function multiply
    .cfi_startproc
    ldm r2!, {r3-r6}
/* The same with the lower words of b in r3 to r6, and r2 the address of its upper words. */
    local_function multiply_loaded
    str r0, [sp, #RESULT]
    str r2, [sp, #B]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    multiply_by_lower_half WIDE
    ldr r6, [sp, #B]
    str r0, [sp, #SPILLED]
    mov lr, #0
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half 16, SPILLED, WIDE
    LDR_WIDE r3, [sp, #28]
    reduce_highest r3, r0, r1, r9, r4
    ldm sp, {r0, r4-r6}
    umaal r0, r1, r9, lr
    umaal r4, r1, r9, r11
    umaal r5, r1, r9, r7
    umaal r6, r1, r9, r8
    LDR_WIDE r7, [sp, #16]
    ldr r8, [sp, #20]
    ldr r11, [sp, #24]
    umaal r7, r1, r9, r10
    umaal r8, r1, r9, r12
    umaal r11, r1, r9, r2
    add r12, r3, r1
    ldr r1, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r1, {r0, r4-r8, r11, r12}
    bx lr

#if defined(TATU_INTERNAL_X25519_INVERTS_BY_POWERS)
    next_frame
/* The square of the square ... of the number at r1, r2 times. */
    local_function square_repeatedly
    str r2, [sp, #COUNT]
    str lr, [sp, #CALLER]
    .cfi_rel_offset lr, CALLER
    ldm r1!, {r3-r6}
1:  bl square_loaded
    ldr r2, [sp, #COUNT]
    add r1, r0, #16
    subs r2, r2, #1
    str r2, [sp, #COUNT]
    bne 1b
    ldr pc, [sp, #CALLER]
#endif

    next_frame
    local_function square
    ldm r1!, {r3-r6}
    b square_loaded
/* The square of the number in r3 to r10 where the flags GE are set, else of the one at r1. */
    local_function square_selected
    ldm r1!, {r2, r11, r12}
    sel r3, r3, r2
    sel r4, r4, r11
    sel r5, r5, r12
    ldm r1!, {r2, r11, r12}
    sel r6, r6, r2
    sel r7, r7, r11
    sel r8, r8, r12
    ldm r1, {r2, r11}
    sel r9, r9, r2
    sel r10, r10, r11
    add r1, r0, #16
    behind_halfword
    stm r1, {r7-r10}
/* The same with the lower words in r3 to r6, and r1 the address of the upper words. r3 to r10 are the result, r0 is its
 * address. */
    local_function square_loaded
    str r0, [sp, #RESULT]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    square_words loaded, WIDE
    ldr r12, [sp, #28]
    reduce_highest r12, r11, r11, r0, r1
    ldm sp, {r3-r5}
    umaal r3, r11, r0, r7
    umaal r4, r11, r0, r8
    umaal r5, r11, r0, r9
    ldr r1, [sp, #12]
    ldr r7, [sp, #16]
    ldr r8, [sp, #20]
    ldr r9, [sp, #24]
    umaal r1, r11, r0, r10
    umaal r7, r11, r0, r6
    umaal r8, r11, r0, lr
    umaal r9, r11, r0, r2
    mov r6, r1
    add r10, r12, r11
    ldr r0, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r0, {r3-r10}
    bx lr
    .cfi_endproc

/* ---- the arithmetic for callers in C ---- */

.macro begin_for_c name, bytes
    function \name
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    .if \bytes
    sub sp, sp, #\bytes
    .cfi_adjust_cfa_offset \bytes
    .endif
.endm

.macro offer_operation name, operation, loaded, other
    begin_for_c \name, 0
    ldm \loaded, {r3-r10}
    .ifnc \other, r1
    mov r1, \other
    .endif
    \operation
    stm r0, {r3-r10}
    pop {r4-r11, pc}
    end_function \name
.endm

    offer_operation tatu_internal_field25519_add, add_any_number, r1, r2
    offer_operation tatu_internal_field25519_subtract, subtract_any_number, r1, r2
    offer_operation tatu_internal_field25519_add_multiple, add_multiple, r1, r2

/* What is from bit 255 on in a product comes in again times 19. */
.macro offer_product name, local
    begin_for_c \name, PRODUCT_BYTES + 4
    str r0, [sp, #PRODUCT_BYTES]
    bl \local
    ldr r0, [sp, #PRODUCT_BYTES]
    ldm r0, {r4-r11}
    mov r1, #19
    lsr r2, r11, #31
    mul r1, r2, r1
    bic r11, r11, #0x80000000
    adds r4, r4, r1
    .irp word, r5, r6, r7, r8, r9, r10
    adcs \word, \word, #0
    .endr
    adc r11, r11, #0
    stm r0, {r4-r11}
    add sp, sp, #PRODUCT_BYTES + 4
    .cfi_adjust_cfa_offset -(PRODUCT_BYTES + 4)
    pop {r4-r11, pc}
    end_function \name
.endm

    offer_product tatu_internal_field25519_multiply, multiply
    offer_product tatu_internal_field25519_square, square

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
