/* tatu_aes128_encrypt, tatu_aes192_encrypt, tatu_aes256_encrypt for AVR. MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_AVR)

#include "encrypt.inc"

    .section .text.tatu_aes256_encrypt,"ax",@progbits
    .global tatu_aes256_encrypt
    .type tatu_aes256_encrypt, @function
tatu_aes256_encrypt:
    .cfi_startproc
    ldi last_round_key, 16 * 14
    jmp tatu_internal_aes_plain_encrypt
    .cfi_endproc
    .size tatu_aes256_encrypt, . - tatu_aes256_encrypt

    .section .text.tatu_aes192_encrypt,"ax",@progbits
    .global tatu_aes192_encrypt
    .type tatu_aes192_encrypt, @function
tatu_aes192_encrypt:
    .cfi_startproc
    ldi last_round_key, 16 * 12
    jmp tatu_internal_aes_plain_encrypt
    .cfi_endproc
    .size tatu_aes192_encrypt, . - tatu_aes192_encrypt

; The beginning's section comes before all tables, into what their alignment would leave empty.
    .section .progmem.gcc_before_tables.tatu_aes128_encrypt,"ax",@progbits
    .p2align 1
    .global tatu_aes128_encrypt
    .type tatu_aes128_encrypt, @function
tatu_aes128_encrypt:
    .cfi_startproc
    ldi last_round_key, 16 * 10
    .global tatu_internal_aes_plain_encrypt
    .hidden tatu_internal_aes_plain_encrypt
tatu_internal_aes_plain_encrypt:
    aes_encrypt_enter
    .cfi_endproc
    .size tatu_aes128_encrypt, . - tatu_aes128_encrypt

    .section .text.tatu_internal_aes_plain_encrypt_rounds,"ax",@progbits
    .global tatu_internal_aes_plain_first_round
    .hidden tatu_internal_aes_plain_first_round
    .type tatu_internal_aes_plain_encrypt_rounds, @function
tatu_internal_aes_plain_encrypt_rounds:
    .cfi_startproc
    aes_encrypt_rounds tatu_internal_aes_plain_first_round
    .cfi_endproc
    .size tatu_internal_aes_plain_encrypt_rounds, . - tatu_internal_aes_plain_encrypt_rounds

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
