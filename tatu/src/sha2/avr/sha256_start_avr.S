/* The beginning of a SHA-256, for AVR; the C twin is in sha256.inc.
 *
 *     void tatu_internal_sha256_start(struct tatu_sha256 *hash);
 */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_AVR)

#include "../../common/assembly_avr.h"

#define BLOCK_BYTES 68 /* of hash->block; length_bytes is behind it */

    .section .progmem.data.tatu_internal_sha256_start,"a",@progbits
    .type initial_state, @object
initial_state: /* FIPS 180-4, section 5.3.3 */
    .long 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    .size initial_state, . - initial_state

    .section .text.tatu_internal_sha256_start,"ax",@progbits
    .global tatu_internal_sha256_start
    .hidden tatu_internal_sha256_start
    .type tatu_internal_sha256_start, @function
tatu_internal_sha256_start:
    .cfi_startproc
    movw r26, r24
    ldi r30, lo8(initial_state)
    ldi r31, hi8(initial_state)
    ldi r18, 8
1:  .rept 4
    lpm r0, Z+
    st X+, r0
    .endr
    dec r18
    brne 1b
    subi r26, lo8(-(BLOCK_BYTES))
    sbci r27, hi8(-(BLOCK_BYTES))
    .rept 8
    st X+, r1
    .endr
    ret
    .cfi_endproc
    .size tatu_internal_sha256_start, . - tatu_internal_sha256_start

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
