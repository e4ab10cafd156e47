/* tatu_internal_aes128_encrypt_and_add, and the same for 192 and 256 bits, for AVR: one encryption with an expanded
 * key, whose result is added (exclusive-or) to another block (tatu_block_and_add_function of tatu/block_cipher.h).
 * MIT licence.
 *
 * CCM adds each block to another one. Here both are in registers, so the sum costs 3 cycles a byte more than the
 * encryption alone. Stored and loaded again, the block would cost 7 more. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_AVR)

#include "encrypt.inc"

#define XL r26
#define XH r27

; They replace s03 and s13, whose registers get the address of the addend.
#define moved_s03 r18
#define moved_s13 r19

.macro store_sum byte, at
    ldd r0, Y+\at
    eor \byte, r0
    ld r0, X+
    eor \byte, r0
    st Z+, \byte
.endm

    .section .text.tatu_internal_aes256_encrypt_and_add,"ax",@progbits
    .global tatu_internal_aes256_encrypt_and_add
    .hidden tatu_internal_aes256_encrypt_and_add
    .type tatu_internal_aes256_encrypt_and_add, @function
tatu_internal_aes256_encrypt_and_add:
    .cfi_startproc
    ldi XL, 16 * 14
    jmp tatu_internal_aes_encrypt_and_add
    .cfi_endproc
    .size tatu_internal_aes256_encrypt_and_add, . - tatu_internal_aes256_encrypt_and_add

    .section .text.tatu_internal_aes192_encrypt_and_add,"ax",@progbits
    .global tatu_internal_aes192_encrypt_and_add
    .hidden tatu_internal_aes192_encrypt_and_add
    .type tatu_internal_aes192_encrypt_and_add, @function
tatu_internal_aes192_encrypt_and_add:
    .cfi_startproc
    ldi XL, 16 * 12
    jmp tatu_internal_aes_encrypt_and_add
    .cfi_endproc
    .size tatu_internal_aes192_encrypt_and_add, . - tatu_internal_aes192_encrypt_and_add

    .section .text.tatu_internal_aes128_encrypt_and_add,"ax",@progbits
    .global tatu_internal_aes128_encrypt_and_add
    .hidden tatu_internal_aes128_encrypt_and_add
    .type tatu_internal_aes128_encrypt_and_add, @function
tatu_internal_aes128_encrypt_and_add:
    .cfi_startproc
    ldi XL, 16 * 10
    .global tatu_internal_aes_encrypt_and_add
    .hidden tatu_internal_aes_encrypt_and_add
; In: context r25:r24, output r23:r22, input r21:r20, addend r19:r18, 16 * rounds in XL.
tatu_internal_aes_encrypt_and_add:
    push_registers r2, r3, r4, r5, r6, r7, r8, YL, YH
    push_registers r23, r22, r19, r18
    movw YL, r24
    mov last_round_key, XL
    add last_round_key, r24
    movw ZL, r20
    load_state
    seh
    call tatu_internal_aes_plain_first_round
    movw moved_s03, s03
    pop_registers XL, XH, ZL, ZH
    store_sum s00, 0
    store_sum s10, 1
    store_sum s20, 2
    store_sum s21, 3
    store_sum s01, 4
    store_sum s11, 5
    store_sum s22, 6
    store_sum s31, 7
    store_sum s02, 8
    store_sum s12, 9
    store_sum moved_s13, 10
    store_sum s32, 11
    store_sum moved_s03, 12
    store_sum hole, 13
    store_sum s23, 14
    store_sum s33, 15
    pop_registers YH, YL, r8, r7, r6, r5, r4, r3, r2
    clr r1
    ret
    .cfi_endproc
    .size tatu_internal_aes128_encrypt_and_add, . - tatu_internal_aes128_encrypt_and_add

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
