/* tatu_aes128_ram_decrypt, tatu_aes192_ram_decrypt, tatu_aes256_ram_decrypt for ARMv7-M: the equivalent inverse cipher
 * (FIPS 197, section 5.3.5). Its keys follow those for encryption, in its order: the last key for encryption is its
 * first. MIT licence. */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_RAM_THUMB2)

#include "../../common/assembly_arm.h"
#include "ram.inc"

.macro column sum, s0, s1, s2, s3
    look_up ldr, \s0, \s3, \s2, \s1
    add_entries \sum
.endm

/* The inverse S-box itself lies behind the table that is made of it. */
.macro last_column sum, s0, s1, s2, s3
    uxtb r1, \s0
    ubfx r2, \s3, #8, #8
    ubfx r3, \s2, #16, #8
    lsr lr, \s1, #24
    ldrb r1, [table, r1]
    ldrb r2, [table, r2]
    ldrb r3, [table, r3]
    ldrb lr, [table, lr]
    add_bytes \sum
.endm

.macro before_last_round
    add table, table, #1024
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
    add r0, r0, r3
    one_block tatu_internal_aes_ram_inverse_table
    end_function tatu_internal_aes_ram_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
