/* tatu_aes128_ram_set_key, tatu_aes192_ram_set_key, tatu_aes256_ram_set_key for AVR. MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_AVR)

#define AES_SBOX_IN_RAM
#include "set_key.inc"

; The first half's section comes before all tables, into what their alignment would leave empty.
    .section .progmem.gcc_before_tables.tatu_aes128_ram_set_key,"ax",@progbits
    .p2align 1
    .global tatu_aes128_ram_set_key
    .type tatu_aes128_ram_set_key, @function
tatu_aes128_ram_set_key:
    .cfi_startproc
    aes128_set_key_enter
    .cfi_endproc
    .size tatu_aes128_ram_set_key, . - tatu_aes128_ram_set_key

    .section .text.tatu_internal_aes128_ram_set_key_rounds,"ax",@progbits
    .type tatu_internal_aes128_ram_set_key_rounds, @function
tatu_internal_aes128_ram_set_key_rounds:
    .cfi_startproc
    aes128_set_key_rounds
    .cfi_endproc
    .size tatu_internal_aes128_ram_set_key_rounds, . - tatu_internal_aes128_ram_set_key_rounds

    .section .text.tatu_aes192_ram_set_key,"ax",@progbits
    .global tatu_aes192_ram_set_key
    .type tatu_aes192_ram_set_key, @function
tatu_aes192_ram_set_key:
    .cfi_startproc
    aes192_set_key
    .cfi_endproc
    .size tatu_aes192_ram_set_key, . - tatu_aes192_ram_set_key

    .section .text.tatu_aes256_ram_set_key,"ax",@progbits
    .global tatu_aes256_ram_set_key
    .type tatu_aes256_ram_set_key, @function
tatu_aes256_ram_set_key:
    .cfi_startproc
    aes256_set_key
    .cfi_endproc
    .size tatu_aes256_ram_set_key, . - tatu_aes256_ram_set_key

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
