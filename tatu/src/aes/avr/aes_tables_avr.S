/* Tables that assembly reads with the high half of the address fixed: each begins at a multiple of 256, so an index is
 * an address's low byte as it is. MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_AVR)

/* Not variadic: with -pedantic that is an error in assembly, which is preprocessed as C90. */
#define ROW(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) .byte a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p

; The S-box, FIPS 197, figure 7.
    .section .progmem.data.tatu_internal_aes_paged_sbox,"a",@progbits
    .p2align 8
    .global tatu_internal_aes_paged_sbox
    .hidden tatu_internal_aes_paged_sbox
    .type tatu_internal_aes_paged_sbox, @object
tatu_internal_aes_paged_sbox:
#include "../aes_sbox.inc"
    .size tatu_internal_aes_paged_sbox, . - tatu_internal_aes_paged_sbox

; The inverse S-box, FIPS 197, figure 14.
    .section .progmem.data.tatu_internal_aes_paged_inverse_sbox,"a",@progbits
    .p2align 8
    .global tatu_internal_aes_paged_inverse_sbox
    .hidden tatu_internal_aes_paged_inverse_sbox
    .type tatu_internal_aes_paged_inverse_sbox, @object
tatu_internal_aes_paged_inverse_sbox:
#include "../aes_inverse_sbox.inc"
    .size tatu_internal_aes_paged_inverse_sbox, . - tatu_internal_aes_paged_inverse_sbox

; xTimes, multiplication by x in GF(2^8), FIPS 197, section 4.2.1.
    .section .progmem.data.tatu_internal_aes_paged_doubles,"a",@progbits
    .p2align 8
    .global tatu_internal_aes_paged_doubles
    .hidden tatu_internal_aes_paged_doubles
    .type tatu_internal_aes_paged_doubles, @object
tatu_internal_aes_paged_doubles:
    .set value, 0
    .rept 256
    .byte ((value << 1) ^ ((value >> 7) * 0x1b)) & 0xff
    .set value, value + 1
    .endr
    .size tatu_internal_aes_paged_doubles, . - tatu_internal_aes_paged_doubles

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
