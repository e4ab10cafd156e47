/* The S-boxes of the variant that reads them from RAM, each at a multiple of 256 (aes_tables_avr.S says why). MIT
 * licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_AVR)

/* Not variadic: with -pedantic that is an error in assembly, which is preprocessed as C90. */
#define ROW(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) .byte a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p

; Without this reference a program whose only initialised data are these would be linked without the start-up code that
; copies them to RAM.
    .global __do_copy_data

; The S-box, FIPS 197, figure 7.
    .section .data.tatu_internal_aes_paged_sbox_ram,"aw",@progbits
    .p2align 8
    .global tatu_internal_aes_paged_sbox_ram
    .hidden tatu_internal_aes_paged_sbox_ram
    .type tatu_internal_aes_paged_sbox_ram, @object
tatu_internal_aes_paged_sbox_ram:
#include "../aes_sbox.inc"
    .size tatu_internal_aes_paged_sbox_ram, . - tatu_internal_aes_paged_sbox_ram

; The inverse S-box, FIPS 197, figure 14.
    .section .data.tatu_internal_aes_paged_inverse_sbox_ram,"aw",@progbits
    .p2align 8
    .global tatu_internal_aes_paged_inverse_sbox_ram
    .hidden tatu_internal_aes_paged_inverse_sbox_ram
    .type tatu_internal_aes_paged_inverse_sbox_ram, @object
tatu_internal_aes_paged_inverse_sbox_ram:
#include "../aes_inverse_sbox.inc"
    .size tatu_internal_aes_paged_inverse_sbox_ram, . - tatu_internal_aes_paged_inverse_sbox_ram

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
