/* SHA-256's state as bytes, for AVR; the C twin is sha256_store.c.
 *
 *     void tatu_internal_sha256_store(const uint32_t state[8], uint8_t *digest, uint8_t words);
 */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_AVR)

#include "../../common/assembly_avr.h"

    .section .text.tatu_internal_sha256_store,"ax",@progbits
    .global tatu_internal_sha256_store
    .hidden tatu_internal_sha256_store
    .type tatu_internal_sha256_store, @function
tatu_internal_sha256_store:
    .cfi_startproc
    movw r26, r22
    movw r30, r24
1:  .irp j, 3, 2, 1, 0
    ldd r0, Z+\j
    st X+, r0
    .endr
    adiw r30, 4
    dec r20
    brne 1b
    ret
    .cfi_endproc
    .size tatu_internal_sha256_store, . - tatu_internal_sha256_store

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
