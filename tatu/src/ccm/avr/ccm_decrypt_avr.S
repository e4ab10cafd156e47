/* The payload of CCM decryption for AVR; the C twin is in ccm_message.h. */
#include "../../common/assembly.h"

#if defined(TATU_INTERNAL_XOR_IN_AVR)

#define CCM_DECRYPTS 1
#include "crypt.inc"

    .section .text.tatu_internal_ccm_decrypt_avr,"ax",@progbits
    .global tatu_internal_ccm_decrypt_avr
    .hidden tatu_internal_ccm_decrypt_avr
    .type tatu_internal_ccm_decrypt_avr, @function
tatu_internal_ccm_decrypt_avr:
    .cfi_startproc
    ccm_crypt
    .cfi_endproc
    .size tatu_internal_ccm_decrypt_avr, . - tatu_internal_ccm_decrypt_avr

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
