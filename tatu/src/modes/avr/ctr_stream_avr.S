/* The key stream of counter mode for AVR (SP 800-38A, section 6.5); the C twin is ctr_stream.c. Beside AES and its
 * call, a block of 16 bytes takes 173 cycles, of which 112 are its bytes loaded, added and stored. */
#include "../ctr_stream.h"

#if defined(TATU_INTERNAL_CTR_IN_AVR)

#include <avr/io.h>

#include "../../common/assembly_avr.h"

#define counter     r2
#define context     r4
#define cipher      r6
#define length      r8
#define length_high r9
#define block_bytes r10
#define input       r12
#define output      r14

#define KEY_STREAM_BYTES 16

    .section .text.tatu_internal_ctr_stream,"ax",@progbits
    .global tatu_internal_ctr_stream
    .hidden tatu_internal_ctr_stream
    .type tatu_internal_ctr_stream, @function
tatu_internal_ctr_stream:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r12, r13, r14, r15, r28, r29
    movw ZL, r24
    ld cipher, Z /* struct tatu_block_encrypter: function, context, block_bytes */
    ldd r7, Z+1
    ldd context, Z+2
    ldd r5, Z+3
    ldd block_bytes, Z+4
    movw counter, r22
    movw output, r20
    movw input, r18
    movw length, r16
    in r28, _SFR_IO_ADDR(SPL)
    in r29, _SFR_IO_ADDR(SPH)
    sbiw r28, KEY_STREAM_BYTES
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), r29
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), r28
    .cfi_adjust_cfa_offset KEY_STREAM_BYTES

next_block:
    in r28, _SFR_IO_ADDR(SPL)
    in r29, _SFR_IO_ADDR(SPH)
    adiw r28, 1                 /* the key stream */
    cp length, r1
    cpc length_high, r1
    brne 1f
    rjmp done
1:  movw ZL, cipher
    movw r24, context
    movw r22, r28
    movw r20, counter
    icall

    /* the counter, from its last byte on; it is public */
    movw ZL, counter
    add ZL, block_bytes
    adc ZH, r1
    mov r18, block_bytes
1:  ld r24, -Z
    inc r24
    st Z, r24
    brne 2f
    dec r18
    brne 1b
2:
    mov r18, block_bytes
    sub length, block_bytes
    sbc length_high, r1
    brcc 3f
    add r18, length             /* what is left of the message is less than a block */
    clr length
    clr length_high
3:  movw ZL, input
    movw XL, output
    sbrs r18, 0
    rjmp 5f
    ld r0, Z+
    ld r19, Y+
    eor r0, r19
    st X+, r0
    dec r18
    breq 6f
5:  .rept 2
    ld r0, Z+
    ld r19, Y+
    eor r0, r19
    st X+, r0
    .endr
    subi r18, 2
    brne 5b
6:  movw input, ZL
    movw output, XL
    rjmp next_block

done:
    ldi r18, KEY_STREAM_BYTES
1:  st Y+, r1
    dec r18
    brne 1b
    sbiw r28, 1
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), r29
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), r28
    .cfi_adjust_cfa_offset -(KEY_STREAM_BYTES)
    pop_registers r29, r28, r15, r14, r13, r12, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_ctr_stream, . - tatu_internal_ctr_stream

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
