/* tatu_aes128_ram_encrypt, tatu_aes192_ram_encrypt, tatu_aes256_ram_encrypt for ARMv6-M. MIT licence. */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_RAM_THUMB1)

#include "../../common/assembly_arm.h"
#include "ram.inc"

.macro column sum, s0, s1, s2, s3
    sum_of_entries ldr, \sum, \s0, 0, \s1, 1, \s2, 2, \s3, 3
.endm

.macro last_column sum, s0, s1, s2, s3
    sum_of_entries ldrb, \sum, \s1, 1, \s2, 2, \s3, 3, \s0, 0
.endm

.macro before_last_round
.endm

    .section .text.tatu_aes128_ram_encrypt, "ax", %progbits
    .align 2
    entry tatu_aes256_ram_encrypt, 14, tatu_internal_aes_ram_encrypt
    entry tatu_aes192_ram_encrypt, 12, tatu_internal_aes_ram_encrypt
    entry tatu_aes128_ram_encrypt, 10

    .global tatu_internal_aes_ram_encrypt
    .hidden tatu_internal_aes_ram_encrypt
    .type tatu_internal_aes_ram_encrypt, %function
    .thumb_func
tatu_internal_aes_ram_encrypt:
    .cfi_startproc
    one_block
    end_function tatu_internal_aes_ram_encrypt
    .align 2
address_of_table:
    .word tatu_internal_aes_ram_table

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
