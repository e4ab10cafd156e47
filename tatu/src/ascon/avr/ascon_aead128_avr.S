/* The beginning and the end of an Ascon-AEAD128 message for AVR (NIST SP 800-232, section 4.1.1). The portable twin:
 * ascon_aead128.c. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_AVR)

#include "../../common/assembly_avr.h"
#include "layout.h"

#define FIRST_OF_12_ROUNDS 0xf0
#define KEY_BYTES 16

; Both functions in one section: no message can do with one of them only.
.section .text.tatu_internal_ascon_aead128, "ax", @progbits

; 16 bytes at Z ^= the key at X
.Ladd_key:
    ldi r18, KEY_BYTES / 4
; 4 * r18 bytes
.Ladd_words:
1:
    .rept 4
    ld r0, X+
    ld r19, Z
    eor r19, r0
    st Z+, r19
    .endr
    dec r18
    brne 1b
    ret

.global tatu_internal_ascon_aead128_start
.hidden tatu_internal_ascon_aead128_start
.type tatu_internal_ascon_aead128_start, @function

; void tatu_internal_ascon_aead128_start(uint8_t state[40] (r25:r24), const uint8_t key[16] (r23:r22),
;                                        const uint8_t nonce[16] (r21:r20))
tatu_internal_ascon_aead128_start:
    .cfi_startproc
    save_registers
    movw r28, r24
    movw r26, r22
    movw r30, r20
    push_registers r22, r23

    ; S0 = 0x00001000808c0001 (variant 1, 12 and 8 rounds, tag of 128 bits, rate of 16 bytes)
    ldi r18, 0x01
    mov P0, r18
    clr P1
    ldi r18, 0x8c
    mov P2, r18
    ldi r18, 0x80
    mov P3, r18
    clr P4
    ldi r18, 0x10
    mov P5, r18
    clr P6
    clr P7

    ; S1, S2 = the key, inverted
    .irp byte, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23   ; Q0 to R5
    ld r\byte, X+
    com r\byte
    .endr
    .irp byte, 6, 7
    ld r0, X+
    com r0
    std Y + S2 + \byte, r0
    .endr

    ; S3, inverted, and S4 = the nonce
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    ld r0, Z+
    com r0
    std Y + S3 + \byte, r0
    .endr
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    ld r0, Z+
    std Y + S4 + \byte, r0
    .endr

    ldi r26, FIRST_OF_12_ROUNDS
    call tatu_internal_ascon_rounds
    call tatu_internal_ascon_store
    pop_registers r27, r26
    movw r30, r28
    adiw r30, S3
    rcall .Ladd_key
    restore_registers
    ret
    .cfi_endproc
.size tatu_internal_ascon_aead128_start, . - tatu_internal_ascon_aead128_start

.global tatu_internal_ascon_aead128_finish
.hidden tatu_internal_ascon_aead128_finish
.type tatu_internal_ascon_aead128_finish, @function

; Only the tag is left in the state, S3 and S4: the other words are those before the last permutation.
; void tatu_internal_ascon_aead128_finish(uint8_t state[40] (r25:r24), uint8_t position (r22), const uint8_t key[16]
; (r21:r20))
tatu_internal_ascon_aead128_finish:
    .cfi_startproc
    save_registers
    push_registers r20, r21

    movw r26, r24               ; padding: state[position] ^= 0x01
    add r26, r22
    adc r27, r1
    ld r0, X
    ldi r18, 0x01
    eor r0, r18
    st X, r0

    movw r26, r20               ; S2, S3 ^= the key
    movw r30, r24
    adiw r30, S2
    rcall .Ladd_key

    call tatu_internal_ascon_load
    ldi r26, FIRST_OF_12_ROUNDS
    call tatu_internal_ascon_rounds
    pop_registers r27, r26
    movw r30, r28
    adiw r30, S3
    ldi r18, 8 / 4
1:                              ; S3 as the standard has it
    .rept 4
    ld r0, X+
    com r0
    ld r19, Z
    eor r19, r0
    st Z+, r19
    .endr
    dec r18
    brne 1b
    ldi r18, 8 / 4
    rcall .Ladd_words           ; S4
    restore_registers
    ret
    .cfi_endproc
.size tatu_internal_ascon_aead128_finish, . - tatu_internal_ascon_aead128_finish

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
