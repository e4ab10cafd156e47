/* The arithmetic of secp256k1 for AVR (../../weierstrass/avr/field.inc): what depends on p. The portable twin:
 * ../portable/secp256k1_words.c. How it is made, and why it is right: docs/reference/kernels/secp256k1.md. */
#include "../secp256k1_backend.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_AVR)

#include "../../common/assembly_avr.h"
#include "../../common/avr/products_32.inc"

#define CURVE(name) tatu_internal_secp256k1_##name

; p = 2^256 - c with c = 2^32 + 977, so that 2^256 is c modulo p. 977 is 256 THREE + LOW.
#define LOW r22             /* 0xd1 */
#define THREE r30
#define NOTHING r23

; ---- the reduction ----

; Column \index of low + high c: byte \index of low and, where they are given, the bytes of high before it, in
; registers: the one of this column times LOW, the one before times THREE, the fourth one before. The sum is at most
; 255 * 209 + 255 * 3 + 255 + 255 and 214 carried, below 2^16. It is r25:r24 in even columns and r27:r26 in odd ones;
; what is carried is the upper byte of the other.
.macro column index, this=none, before=none, fourth=none
    .if \index & 1
    .set sum, 26
    .set sum_high, 27
    .set carried, 25
    .else
    .set sum, 24
    .set sum_high, 25
    .set carried, 27
    .endif
    .ifnc \this, none
    mul \this, LOW
    movw sum, r0
    add sum, carried
    .else
    mov sum, carried
    clr sum_high
    .endif
    .ifnc \this, none
    adc sum_high, NOTHING
    .endif
    .ifnc \before, none
    mul \before, THREE
    add sum, r0
    adc sum_high, r1
    .endif
    .ifnc \fourth, none
    add sum, \fourth
    adc sum_high, NOTHING
    .endif
    ldd r0, Y + \index
    add sum, r0
    adc sum_high, NOTHING
.endm

.macro store_column index, this=none, before=none, fourth=none
    column \index, \this, \before, \fourth
    std Y + \index, sum
.endm

; Low + high c to 32 bytes and five more, t, in r12 to r16; low + t c to 32 bytes and a carry; and c once more if that
; is 1. What is left then is below 2^67, so that only nine bytes can change.
.macro reduce_product
    mov r31, r18
    clr NOTHING
    ldi LOW, 0xd1
    ldi THREE, 3
    clr r27
    .irp byte, 18, 19, 20, 21
    clr r\byte
    .endr
    clt
; 16 columns, and with T set the next 16; r18 to r21 are the four bytes of high before these
1:  .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set high, 2 + \byte
    ldd high, Y + 32 + \byte
    .endr
    brtc 2f
    add r2, r31
    .irp register, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    adc r\register, NOTHING
    .endr
2:  store_column 0, r2, r21, r18
    store_column 1, r3, r2, r19
    store_column 2, r4, r3, r20
    store_column 3, r5, r4, r21
    store_column 4, r6, r5, r2
    store_column 5, r7, r6, r3
    store_column 6, r8, r7, r4
    store_column 7, r9, r8, r5
    store_column 8, r10, r9, r6
    store_column 9, r11, r10, r7
    store_column 10, r12, r11, r8
    store_column 11, r13, r12, r9
    store_column 12, r14, r13, r10
    store_column 13, r15, r14, r11
    store_column 14, r16, r15, r12
    store_column 15, r17, r16, r13
    brts 3f
    movw r18, r14
    movw r20, r16
    adiw r28, 16
    set
    rjmp 1b
3:  sbiw r28, 16
    ; columns 32 to 36, of which low has none
    mul r17, THREE
    add r0, r27
    adc r1, NOTHING
    add r0, r14
    adc r1, NOTHING
    mov r12, r0
    mov r13, r15
    add r13, r1
    mov r14, r16
    adc r14, NOTHING
    mov r15, r17
    adc r15, NOTHING
    clr r16
    adc r16, NOTHING
    ; the lowest ten bytes to r2 to r11
    clr r27
    column 0, r12
    mov r2, r24
    column 1, r13, r12
    mov r3, r26
    column 2, r14, r13
    mov r4, r24
    column 3, r15, r14
    mov r5, r26
    column 4, r16, r15, r12
    mov r6, r24
    column 5, none, r16, r13
    mov r7, r26
    column 6, none, none, r14
    mov r8, r24
    column 7, none, none, r15
    mov r9, r26
    column 8, none, none, r16
    mov r10, r24
    column 9
    mov r11, r26
    mov r24, r27
    pop_registers r31, r30
    adiw r28, 10
    adiw r30, 10
    ldi r25, 2
    lsr r24
4:  .rept 11
    ld r0, Y+
    adc r0, NOTHING
    st Z+, r0
    .endr
    dec r25
    brne 4b
    sbc r24, r24
    and LOW, r24
    ldi r25, 3
    and r25, r24
    andi r24, 1
    sbiw r30, 32
    add r2, LOW
    adc r3, r25
    adc r4, NOTHING
    adc r5, NOTHING
    adc r6, r24
    .irp register, 7, 8, 9, 10, 11
    adc r\register, NOTHING
    .endr
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    .set low, 2 + \byte
    std Z + \byte, low
    .endr
    clr r1
    pop_registers r29, r28
    ret
.endm

; ---- sums ----

; The 32 bytes that end before X, plus or minus c if r21 is 255, nothing if it is 0. If that carries or borrows, once
; more: then only five bytes can change. r1 = 0.
.macro apply_c operation, with_carry
    sbiw r26, 32
    ldi r22, 0xd1
    and r22, r21
    ldi r23, 3
    and r23, r21
    andi r21, 1
    ld r0, X
    \operation r0, r22
    st X+, r0
    .irp register, 23, 1, 1, 21
    ld r0, X
    \with_carry r0, r\register
    st X+, r0
    .endr
    ldi r20, 3
2:  .rept 9
    ld r0, X
    \with_carry r0, r1
    st X+, r0
    .endr
    dec r20
    brne 2b
    sbc r20, r20
    sbiw r26, 32
    and r22, r20
    and r23, r20
    and r21, r20
    ld r0, X
    \operation r0, r22
    st X+, r0
    .irp register, 23, 1, 1, 21
    ld r0, X
    \with_carry r0, r\register
    st X+, r0
    .endr
    ret
.endm

.macro sum_into with_carry, operation
    point_to_numbers
    clc
1:  .rept 8
    ld r0, Y+
    ld r20, Z+
    \with_carry r0, r20
    st X+, r0
    .endr
    dec r24
    brne 1b
    movw r28, r16
    sbc r21, r21
    apply_c \operation, \with_carry
.endm

; What carries is 2^256, which is c; what borrows is one too.
.macro sums
.Ladd_into:
    sum_into adc, add
.Lsubtract_into:
    sum_into sbc, sub
.endm

#include "../../weierstrass/avr/field.inc"

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
