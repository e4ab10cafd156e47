/* A block of ChaCha20's key stream for AVR (RFC 8439, section 2.3). The portable twin: chacha20.c.
 *
 * The block begins as constants, key, counter and nonce, is permuted, and then they are added to it. They are read
 * where they lie, so the block is all the memory that this takes. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_AVR)

#include "../../common/assembly_avr.h"

#define COUNTER_0 r18
#define COUNTER_1 r19
#define COUNTER_2 r20
#define COUNTER_3 r21
#define WORDS r22

.section .progmem.data.tatu_internal_chacha20_constants, "a", @progbits
.Lconstants:
    .ascii "expand 32-byte k"

; X points to the block and moves on.
.macro begin_words count, load
    ldi WORDS, \count
.Lbegin_\@:
    .rept 4
    \load r0, Z+
    st X+, r0
    .endr
    dec WORDS
    brne .Lbegin_\@
.endm

.macro add_words count, load
    ldi WORDS, \count
.Ladd_\@:
    \load r0, Z+
    ld r23, X
    add r23, r0
    st X+, r23
    .rept 3
    \load r0, Z+
    ld r23, X
    adc r23, r0
    st X+, r23
    .endr
    dec WORDS
    brne .Ladd_\@
.endm

.section .text.tatu_chacha20_block, "ax", @progbits
.global tatu_chacha20_block
.type tatu_chacha20_block, @function

; void tatu_chacha20_block(const uint8_t key[32] (r25:r24), uint8_t output[64] (r23:r22), uint32_t counter (r21 to
;                          r18), const uint8_t nonce[12] (r17:r16))
tatu_chacha20_block:
    .cfi_startproc
    push_registers COUNTER_0, COUNTER_1, COUNTER_2, COUNTER_3, r22, r23, r24, r25
    movw r26, r22
    ldi r30, lo8(.Lconstants)
    ldi r31, hi8(.Lconstants)
    begin_words 4, lpm
    movw r30, r24
    begin_words 8, ld
    st X+, COUNTER_0
    st X+, COUNTER_1
    st X+, COUNTER_2
    st X+, COUNTER_3
    movw r30, r16
    begin_words 3, ld
    movw r24, r26
    subi r24, 64
    sbci r25, 0
    call tatu_internal_chacha20_permute
    pop_registers r25, r24, r27, r26, COUNTER_3, COUNTER_2, COUNTER_1, COUNTER_0
    ldi r30, lo8(.Lconstants)
    ldi r31, hi8(.Lconstants)
    add_words 4, lpm
    movw r30, r24
    add_words 8, ld
    ld r23, X
    add r23, COUNTER_0
    st X+, r23
    .irp register, COUNTER_1, COUNTER_2, COUNTER_3
    ld r23, X
    adc r23, \register
    st X+, r23
    .endr
    movw r30, r16
    add_words 3, ld
    ret
    .cfi_endproc
.size tatu_chacha20_block, . - tatu_chacha20_block

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
