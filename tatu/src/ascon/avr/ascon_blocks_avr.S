/* Whole blocks through Ascon's sponge for AVR: the permutation's registers stay loaded from block to block. The
 * portable twin: ascon_blocks.c. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_AVR)

#include "../../common/assembly_avr.h"
#include "layout.h"

#define FIRST_OF_8_ROUNDS 0xb4
#define FIRST_OF_12_ROUNDS 0xf0
#define AEAD_RATE 16

; While rounds are done, the pointers wait on the stack: above the address where the input ends, those to input and
; output.

.macro push_word low, high
    push_registers \low, \high
.endm

.macro pop_word low, high
    pop_registers \high, \low
.endm

; ---- associated data, and messages to be hashed ----

.section .text.tatu_internal_ascon_absorb_blocks, "ax", @progbits
.global tatu_internal_ascon_absorb_blocks
.hidden tatu_internal_ascon_absorb_blocks
.type tatu_internal_ascon_absorb_blocks, @function

; void tatu_internal_ascon_absorb_blocks(uint8_t state[40] (r25:r24), uint8_t rate (r22), const uint8_t *input
; (r21:r20),
;                                        const uint8_t *end (r19:r18))
tatu_internal_ascon_absorb_blocks:
    .cfi_startproc
    save_registers
    movw r26, r20
    push_registers r22
    push_word r18, r19
    mov r30, r22
    call tatu_internal_ascon_load
.Labsorb:                       ; the input at X, the rate in r30
    .irp byte, 2, 3, 4, 5, 6, 7, 8, 9           ; P0 to P7
    ld r0, X+
    eor r\byte, r0
    .endr
    ldi r31, FIRST_OF_12_ROUNDS
    cpi r30, AEAD_RATE
    brne .Labsorbed
    .irp byte, 10, 11, 12, 13, 14, 15, 16, 17   ; Q0 to Q7
    ld r0, X+
    eor r\byte, r0
    .endr
    ldi r31, FIRST_OF_8_ROUNDS
.Labsorbed:
    push_word r26, r27
    mov r26, r31
    call tatu_internal_ascon_rounds
    pop_word r26, r27
    pop_word r0, r1             ; the end
    pop_registers r30           ; the rate
    push_registers r30
    push_word r0, r1
    cp r26, r0
    cpc r27, r1
    breq .Lend_absorb
    rjmp .Labsorb
.Lend_absorb:
    pop_word r0, r1
    pop_registers r30
    call tatu_internal_ascon_store
    restore_registers
    ret
    .cfi_endproc
.size tatu_internal_ascon_absorb_blocks, . - tatu_internal_ascon_absorb_blocks

; ---- messages to be encrypted or decrypted ----

; From input to output (at X and Z) through a byte of the state. S1 is inverted in the state and not in messages.
.macro encrypt_s0 register
    ld r0, X+
    eor \register, r0
    st Z+, \register
.endm

.macro encrypt_s1 register
    ld r0, X+
    eor \register, r0
    mov r0, \register
    com r0
    st Z+, r0
.endm

.macro decrypt_s0 register
    ld r0, X+
    eor \register, r0
    st Z+, \register
    mov \register, r0
.endm

.macro decrypt_s1 register
    ld r0, X+
    com r0
    eor \register, r0
    st Z+, \register
    mov \register, r0
.endm

; void NAME(uint8_t state[40] (r25:r24), uint8_t *output (r23:r22), const uint8_t *input (r21:r20),
;           const uint8_t *end (r19:r18))
.macro define_message_blocks name, crypt_s0, crypt_s1
.section .text.\name, "ax", @progbits
.global \name
.hidden \name
.type \name, @function
\name:
    .cfi_startproc
    save_registers
    movw r26, r20
    movw r30, r22
    push_word r18, r19
    call tatu_internal_ascon_load
1:
    .irp byte, 2, 3, 4, 5, 6, 7, 8, 9           ; P0 to P7
    \crypt_s0 r\byte
    .endr
    .irp byte, 10, 11, 12, 13, 14, 15, 16, 17   ; Q0 to Q7
    \crypt_s1 r\byte
    .endr
    push_word r26, r27
    push_word r30, r31
    ldi r26, FIRST_OF_8_ROUNDS
    call tatu_internal_ascon_rounds
    pop_word r30, r31
    pop_word r26, r27
    pop_word r0, r1             ; the end
    push_word r0, r1
    cp r26, r0
    cpc r27, r1
    breq 2f
    rjmp 1b
2:
    pop_word r0, r1
    call tatu_internal_ascon_store
    restore_registers
    ret
    .cfi_endproc
.size \name, . - \name
.endm

define_message_blocks tatu_internal_ascon_encrypt_blocks, encrypt_s0, encrypt_s1
define_message_blocks tatu_internal_ascon_decrypt_blocks, decrypt_s0, decrypt_s1

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
