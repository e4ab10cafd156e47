/* The tables of AES in RAM for Cortex-M: those of J. Daemen and V. Rijmen, "AES Proposal: Rijndael", version 2, section
 * 5.2.1, turned by a byte.
 *
 *     tatu_internal_aes_ram_table            256 words: S, S, 3S, 2S from the lowest byte up, where S is the S-box
 *     tatu_internal_aes_ram_inverse_table    256 words: 9, d, b, e times the inverse S-box; then it itself, 256 bytes
 *
 * S is the lowest byte of its word, so the last round reads it with a load of a byte. The address of each table is a
 * multiple of 32 plus 8. The Thumb of ARMv6-M has no register to spare for the amount of a rotation, and takes it from
 * the lowest byte of a register, modulo 32 (DDI 0419, ROR): so the register that points to the table is also the
 * amount 8. */
#include "aes_backend.h"

#if defined(TATU_INTERNAL_AES_RAM_TABLES)

#include "../common/assembly_arm.h"

/* A byte times x in GF(2^8) (FIPS 197, section 4.2.1). */
.macro times_x product, byte
    .set \product, ((\byte) << 1) ^ (((\byte) >> 7) * 0x11b)
.endm

.macro mix_entry s
    times_x .Ltwo, \s
    .byte \s, \s, .Ltwo ^ (\s), .Ltwo
.endm

.macro inverse_mix_entry s
    times_x .Ltwo, \s
    times_x .Lfour, .Ltwo
    times_x .Leight, .Lfour
    .byte .Leight ^ (\s), .Leight ^ .Lfour ^ (\s), .Leight ^ .Ltwo ^ (\s), .Leight ^ .Lfour ^ .Ltwo
.endm

.macro each_of what, bytes:vararg
    .irp byte, \bytes
    \what \byte
    .endr
.endm

.macro table name
    .section .data.\name, "aw", %progbits
    .p2align 5
    .space 8
    .global \name
    .hidden \name
    .type \name, %object
\name:
.endm

/* Not variadic: with -pedantic that is an error in assembly, which is preprocessed as C90. */
#define ROW(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
    each_of WHAT, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p

    table tatu_internal_aes_ram_table
#define WHAT mix_entry
#include "aes_sbox.inc"
    .size tatu_internal_aes_ram_table, . - tatu_internal_aes_ram_table

    table tatu_internal_aes_ram_inverse_table
#undef WHAT
#define WHAT inverse_mix_entry
#include "aes_inverse_sbox.inc"
#undef WHAT
#define WHAT .byte
#include "aes_inverse_sbox.inc"
    .size tatu_internal_aes_ram_inverse_table, . - tatu_internal_aes_ram_inverse_table

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../common/assembly_marks.h"
