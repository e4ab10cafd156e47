/* tatu_aes128_ram_decrypt, tatu_aes192_ram_decrypt, tatu_aes256_ram_decrypt for ARMv6-M: the equivalent inverse cipher
 * (FIPS 197, section 5.3.5). Its keys follow those for encryption, in its order: the last key for encryption is its
 * first. MIT licence. */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_RAM_THUMB1)

#include "../../common/assembly_arm.h"
#include "ram.inc"

.macro column sum, s0, s1, s2, s3
    sum_of_entries ldr, \sum, \s0, 0, \s3, 1, \s2, 2, \s1, 3
.endm

/* The inverse S-box itself lies behind the table that is made of it: 1024 is 0, modulo 32. */
.macro last_look_up to, column, row
.if \row == 3
    lsrs \to, \column, #24
.elseif \row == 0
    uxtb \to, \column
.else
    lsrs \to, \column, #(8 * \row)
    uxtb \to, \to
.endif
    ldrb \to, [table, \to]
.endm

.macro last_column sum, s0, s1, s2, s3
    last_look_up \sum, \s3, 1
    .irp each, "\s2, 2", "\s1, 3", "\s0, 0"
    rors \sum, \sum, table
    last_look_up r1, \each
    eors \sum, \sum, r1
    .endr
.endm

.macro before_last_round
    movs r0, #4
    lsls r0, r0, #8
    adds table, table, r0
.endm

    .section .text.tatu_aes128_ram_decrypt, "ax", %progbits
    .align 2
    entry tatu_aes256_ram_decrypt, 14, tatu_internal_aes_ram_decrypt
    entry tatu_aes192_ram_decrypt, 12, tatu_internal_aes_ram_decrypt
    entry tatu_aes128_ram_decrypt, 10

    .global tatu_internal_aes_ram_decrypt
    .hidden tatu_internal_aes_ram_decrypt
    .type tatu_internal_aes_ram_decrypt, %function
    .thumb_func
tatu_internal_aes_ram_decrypt:
    .cfi_startproc
    adds r0, r0, r3
    one_block
    end_function tatu_internal_aes_ram_decrypt
    .align 2
address_of_table:
    .word tatu_internal_aes_ram_inverse_table

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
