/* The payload of CCM encryption for AVR; the C twin is in ccm_message.h. */
#include "../../common/assembly.h"

#if defined(TATU_INTERNAL_XOR_IN_AVR)

#define CCM_DECRYPTS 0
#include "crypt.inc"

    .section .text.tatu_internal_ccm_encrypt_avr,"ax",@progbits
    .global tatu_internal_ccm_encrypt_avr
    .hidden tatu_internal_ccm_encrypt_avr
    .type tatu_internal_ccm_encrypt_avr, @function
tatu_internal_ccm_encrypt_avr:
    .cfi_startproc
    ccm_crypt
    .cfi_endproc
    .size tatu_internal_ccm_encrypt_avr, . - tatu_internal_ccm_encrypt_avr

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
