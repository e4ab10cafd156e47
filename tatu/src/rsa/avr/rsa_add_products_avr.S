/* A step of RSA's Montgomery multiplication for AVR; the C twin is rsa_add_products.c.
 *
 *     uint8_t tatu_internal_rsa_add_products(uint32_t *product, const uint32_t *b, const uint32_t *modulus,
 *                                            const uint32_t factors[2], uint8_t limbs, uint8_t above);
 *
 * Where things are:
 *   r2..r5      the first factor, of b
 *   r6..r9      the second factor, of the modulus
 *   r10..r18    a sum of nine bytes: one limb of the result, and what goes on to the next ones
 *   r19         zero
 *   r20, r21    a byte of b and a byte of the modulus
 *   r22         counts limbs
 *   r24, r25    a product
 *   X, Z        walk b and the modulus
 *   Y           is four bytes before the product, because the result is a limb further down
 *
 * A byte is multiplied by bytes 0 and 2 of a factor, whose products lie side by side, and then by bytes 1 and 3: 10
 * cycles for two products and their addition, with the carry. */
#include "../rsa_backend.h"

#if defined(TATU_INTERNAL_RSA_IN_AVR)

#include "../../common/assembly_avr.h"

#define SUM 10

; sum += (factor + 2^16 * (factor+2)) * byte, at byte `place` of the sum, and the carry
.macro add_two_products factor, byte, place
    mul \factor, \byte
    movw r24, r0
    mul \factor+2, \byte
    add SUM+\place, r24
    adc SUM+\place+1, r25
    adc SUM+\place+2, r0
    adc SUM+\place+3, r1
    adc SUM+\place+4, r19
.endm

    .section .text.tatu_internal_rsa_add_products,"ax",@progbits
    .global tatu_internal_rsa_add_products
    .hidden tatu_internal_rsa_add_products
    .type tatu_internal_rsa_add_products, @function
tatu_internal_rsa_add_products:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    push_values r14
    movw r28, r24
    sbiw r28, 4
    movw r26, r22
    movw r30, r18
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd 2+\j, Z+\j
    .endr
    movw r30, r20
    mov r22, r16
    .irp register, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
    clr \register
    .endr
    clt     /* the first limb is zero, and is not stored */

limb:
    movw SUM, SUM+4
    movw SUM+2, SUM+6
    mov SUM+4, SUM+8
    clr SUM+5
    clr SUM+6
    clr SUM+7
    clr SUM+8
    ldd r0, Y+4
    add SUM, r0
    .irp j, 1, 2, 3
    ldd r0, Y+4+\j
    adc SUM+\j, r0
    .endr
    adc SUM+4, r19
    .irp place, 0, 1, 2, 3
    ld r20, X+
    ld r21, Z+
    add_two_products 2, r20, \place
    add_two_products 3, r20, \place+1
    add_two_products 6, r21, \place
    adc SUM+\place+5, r19
    add_two_products 7, r21, \place+1
    .endr
    brtc 1f
    .irp j, 0, 1, 2, 3
    std Y+\j, SUM+\j
    .endr
1:  set
    adiw r28, 4
    dec r22
    breq 2f
    rjmp limb

2:  pop_values r24
    add SUM+4, r24
    .irp j, 5, 6, 7, 8
    adc SUM+\j, r19
    .endr
    .irp j, 0, 1, 2, 3
    std Y+\j, SUM+4+\j
    .endr
    mov r24, SUM+8
    clr r1
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_rsa_add_products, . - tatu_internal_rsa_add_products

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
