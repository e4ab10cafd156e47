/* How encryption and decryption with AES-192 and AES-256, key schedule on the fly, begin and end for AVR. MIT
 * licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include <avr/io.h>

#include "small_long.inc"
#include "small_enter.inc"

; Saves registers, loads the state, puts the ring of key words on the stack, its last word into w0 to w3 and its end
; into Y, and goes on at Z (a word address). In: context r25:r24, output r23:r22, input r21:r20, key's bytes in r18,
; rounds in r19. Its section puts it before all tables, into what their alignment would leave empty.
    .section .progmem.gcc_before_tables.tatu_internal_aes_small_long_enter,"ax",@progbits
    .p2align 1
    .global tatu_internal_aes_small_long_enter
    .hidden tatu_internal_aes_small_long_enter
    .type tatu_internal_aes_small_long_enter, @function
tatu_internal_aes_small_long_enter:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
    movw XL, r20
    load_state
    mov key_bytes, r18
    mov YL, r19
    movw XL, r24
    mov rounds, YL
    ldi YH, 0
    add XL, key_bytes
    adc XH, YH
    mov YL, key_bytes
    push_table X, r0, r28, key_bytes, 20
    in YL, _SFR_IO_ADDR(SPL)
    in YH, _SFR_IO_ADDR(SPH)
    adiw YL, 1
    clr r0
    add YL, key_bytes
    adc YH, r0
    ld w3, -Y
    ld w2, -Y
    ld w1, -Y
    ld w0, -Y
    ijmp
    .cfi_endproc
    .size tatu_internal_aes_small_long_enter, . - tatu_internal_aes_small_long_enter

; Wipes the ring, stores the state and returns to the caller of the function that entered.
    .section .text.tatu_internal_aes_small_long_leave,"ax",@progbits
    .global tatu_internal_aes_small_long_leave
    .hidden tatu_internal_aes_small_long_leave
    .type tatu_internal_aes_small_long_leave, @function
tatu_internal_aes_small_long_leave:
    .cfi_startproc
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
    table_pushed key_bytes, 20
    in ZL, _SFR_IO_ADDR(SPL)
    in ZH, _SFR_IO_ADDR(SPH)
    adiw ZL, 1
    clr r0
1:  st Z+, r0
    pop other
    table_pushed key_bytes, 20 - 1
    dec key_bytes
    table_pushed key_bytes, 20
    brne 1b
    table_popped 20
    pop_registers ZH, ZL
    st Z+, s00
    st Z+, s10
    st Z+, s20
    st Z+, s30
    st Z+, s01
    st Z+, s11
    st Z+, s21
    st Z+, s31
    st Z+, s02
    st Z+, s12
    st Z+, s22
    st Z+, s32
    st Z+, s03
    st Z+, s13
    st Z+, s23
    st Z+, s33
    pop_registers YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_aes_small_long_leave, . - tatu_internal_aes_small_long_leave

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
