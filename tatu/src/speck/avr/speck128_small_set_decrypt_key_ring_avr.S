/* tatu_speck128_192_small_set_decrypt_key and tatu_speck128_256_small_set_decrypt_key for AVR. MIT licence.
 *
 * The ring is the context itself without its first word. The steps are a multiple of the ring's words, so they end as
 * they began: with the oldest first. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "../../common/assembly_avr.h"

#define SPECK128_NO_BLOCK
#include "speck128_ring.inc"

    .section .text.tatu_speck128_256_small_set_decrypt_key,"ax",@progbits
    .global tatu_speck128_256_small_set_decrypt_key
    .type tatu_speck128_256_small_set_decrypt_key, @function
tatu_speck128_256_small_set_decrypt_key:
    .cfi_startproc
    ldi r20, 32
    jump tatu_internal_speck128_small_set_decrypt_key
    .cfi_endproc
    .size tatu_speck128_256_small_set_decrypt_key, . - tatu_speck128_256_small_set_decrypt_key

    .section .text.tatu_speck128_192_small_set_decrypt_key,"ax",@progbits
    .global tatu_speck128_192_small_set_decrypt_key
    .type tatu_speck128_192_small_set_decrypt_key, @function
tatu_speck128_192_small_set_decrypt_key:
    .cfi_startproc
    ldi r20, 24
    jump tatu_internal_speck128_small_set_decrypt_key
    .cfi_endproc
    .size tatu_speck128_192_small_set_decrypt_key, . - tatu_speck128_192_small_set_decrypt_key

    .section .text.tatu_internal_speck128_small_set_decrypt_key,"ax",@progbits
    .global tatu_internal_speck128_small_set_decrypt_key
    .hidden tatu_internal_speck128_small_set_decrypt_key
    .type tatu_internal_speck128_small_set_decrypt_key, @function
tatu_internal_speck128_small_set_decrypt_key:
    .cfi_startproc
    push_registers ring_bytes, last_step
    movw r30, r24
    movw r26, r22
    mov ring_bytes, r20
1:
    ld r0, X+
    st Z+, r0
    dec r20
    brne 1b
    mov ring_edge, r30
    movw r30, r24
    .irp byte, k0, k1, k2, k3, k4, k5, k6, k7
    ld \byte, Z+
    .endr
    subi ring_bytes, 8
    mov last_step, ring_bytes
    lsr last_step
    lsr last_step
    lsr last_step
    subi last_step, -30
    clr step
1:
    ring_add_k_to_l
    .rept 3
    ring_rotate_left_1 k0, k1, k2, k3, k4, k5, k6, k7
    .endr
    ring_xor_l_to_k_and_go_on
    inc step
    cpse step, last_step
    rjmp 1b
    .irp byte, k7, k6, k5, k4, k3, k2, k1, k0
    st -Z, \byte
    .endr
    clr r0
    movw k0, r0
    movw k2, r0
    movw k4, r0
    movw k6, r0
    pop_registers last_step, ring_bytes
    ret
    .cfi_endproc
    .size tatu_internal_speck128_small_set_decrypt_key, . - tatu_internal_speck128_small_set_decrypt_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
