/* A block of ChaCha20's key stream for AVR (RFC 8439, section 2.3). The portable twin: chacha20_next_block.c. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_AVR)

#include "../../common/assembly_avr.h"

#define WORDS 16

.section .text.tatu_internal_chacha20_next_block, "ax", @progbits
.global tatu_internal_chacha20_next_block
.hidden tatu_internal_chacha20_next_block
.type tatu_internal_chacha20_next_block, @function

; void tatu_internal_chacha20_next_block(uint8_t key_stream[64] (r25:r24), uint8_t initial_state[64] (r23:r22))
tatu_internal_chacha20_next_block:
    push_registers r22, r23, r24, r25
    movw r26, r22
    movw r30, r24
    ldi r18, WORDS
.Lcopy:
    .rept 4
    ld r0, X+
    st Z+, r0
    .endr
    dec r18
    brne .Lcopy
    call tatu_internal_chacha20_permute
    pop_registers r31, r30, r27, r26
    ldi r18, WORDS
.Ladd:
    ld r19, X+
    ld r0, Z
    add r0, r19
    st Z+, r0
    .rept 3
    ld r19, X+
    ld r0, Z
    adc r0, r19
    st Z+, r0
    .endr
    dec r18
    brne .Ladd

    sbiw r26, 16                ; the counter is word 12 of 16: one more
    ld r0, X
    sec
    adc r0, r1
    st X+, r0
    .rept 3
    ld r0, X
    adc r0, r1
    st X+, r0
    .endr
    ret
.size tatu_internal_chacha20_next_block, . - tatu_internal_chacha20_next_block

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
