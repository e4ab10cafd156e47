/* tatu_aes128_ram_decrypt, tatu_aes192_ram_decrypt, tatu_aes256_ram_decrypt for AVR. MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_AVR)

#define AES_SBOX_IN_RAM
#include "decrypt.inc"

    .section .text.tatu_aes256_ram_decrypt,"ax",@progbits
    .global tatu_aes256_ram_decrypt
    .type tatu_aes256_ram_decrypt, @function
tatu_aes256_ram_decrypt:
    .cfi_startproc
    ldi r18, 16 * 14
    jmp tatu_internal_aes_ram_decrypt
    .cfi_endproc
    .size tatu_aes256_ram_decrypt, . - tatu_aes256_ram_decrypt

    .section .text.tatu_aes192_ram_decrypt,"ax",@progbits
    .global tatu_aes192_ram_decrypt
    .type tatu_aes192_ram_decrypt, @function
tatu_aes192_ram_decrypt:
    .cfi_startproc
    ldi r18, 16 * 12
    jmp tatu_internal_aes_ram_decrypt
    .cfi_endproc
    .size tatu_aes192_ram_decrypt, . - tatu_aes192_ram_decrypt

    .section .text.tatu_aes128_ram_decrypt,"ax",@progbits
    .global tatu_aes128_ram_decrypt
    .type tatu_aes128_ram_decrypt, @function
tatu_aes128_ram_decrypt:
    .cfi_startproc
    ldi r18, 16 * 10
    .global tatu_internal_aes_ram_decrypt
    .hidden tatu_internal_aes_ram_decrypt
tatu_internal_aes_ram_decrypt:
    aes_decrypt
    .cfi_endproc
    .size tatu_aes128_ram_decrypt, . - tatu_aes128_ram_decrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
