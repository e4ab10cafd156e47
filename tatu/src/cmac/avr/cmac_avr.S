/* CMAC of a whole message for AVR (SP 800-38B, section 6.2); the C twin is cmac.c. Beside AES and its call, a block
 * takes 155 cycles, of which 112 are the 16 bytes loaded, added and stored. */
#include "../cmac_internal.h"

#if defined(TATU_INTERNAL_CMAC_IN_AVR)

#include <avr/io.h>

#include "../../common/assembly_avr.h"

/* struct tatu_cmac_key: function, context, block_bytes and a function of CCM, then subkey */
#define KEY_CONTEXT     2
#define KEY_BLOCK_BYTES 4
#define KEY_SUBKEY      7

#define block_bytes r11
#define key         r12
#define length      r14
#define length_high r15
#define input       r16

    .section .text.tatu_internal_cmac_avr,"ax",@progbits

/* The state, at Y, ^= r18 bytes from Z on. Z advances. */
    .type add, @function
add:
    .cfi_startproc
    movw XL, r28
    subi r18, 8
    brcs 2f
1:  .rept 8
    ld r0, X
    ld r19, Z+
    eor r0, r19
    st X+, r0
    .endr
    subi r18, 8
    brcc 1b
2:  subi r18, -8
    brne 3f
    ret
3:  ld r0, X
    ld r19, Z+
    eor r0, r19
    st X+, r0
    dec r18
    brne 3b
    ret
    .cfi_endproc
    .size add, . - add

/* The cipher, in place. */
    .type encrypt, @function
encrypt:
    .cfi_startproc
    movw ZL, key
    ld r18, Z
    ldd r19, Z+1
    ldd r24, Z+KEY_CONTEXT
    ldd r25, Z+KEY_CONTEXT+1
    movw ZL, r18
    movw r22, r28
    movw r20, r28
    ijmp
    .cfi_endproc
    .size encrypt, . - encrypt

    .global tatu_internal_cmac_avr
    .hidden tatu_internal_cmac_avr
    .type tatu_internal_cmac_avr, @function
tatu_internal_cmac_avr:
    .cfi_startproc
    push_registers r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw key, r24
    movw r28, r22
    movw input, r20
    movw length, r18
    movw ZL, r24
    ldd block_bytes, Z+KEY_BLOCK_BYTES
    movw XL, r22
    cp block_bytes, length
    cpc r1, length_high
    breq only_block
    .rept 16
    st X+, r1
    .endr

next_block:
    movw ZL, input
    cp block_bytes, length
    cpc r1, length_high
    brcc last_block
    mov r18, block_bytes
    rcall add
    movw input, ZL
    sub length, block_bytes
    sbc length_high, r1
    rcall encrypt
    rjmp next_block

    /* The first block of a message is the last one too, and whole: the state begins as the subkey. */
only_block:
    adiw ZL, KEY_SUBKEY
    ldi r18, 16 / 4
1:  .rept 4
    ld r0, Z+
    st X+, r0
    .endr
    dec r18
    brne 1b
    movw ZL, input
    mov r18, block_bytes
    rjmp add_last

last_block:
    mov r18, length
    rcall add
    cp length, block_bytes
    breq whole
    movw XL, r28
    add XL, length
    adc XH, r1
    ld r18, X
    subi r18, 0x80              /* 10*: the bit flips, and a carry is lost */
    st X, r18
    movw r24, r28
    movw r22, key
    call tatu_internal_cmac_add_second_subkey
    rjmp 1f
whole:
    movw ZL, key
    adiw ZL, KEY_SUBKEY
    mov r18, block_bytes
add_last:
    rcall add
1:  rcall encrypt
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11
    ret
    .cfi_endproc
    .size tatu_internal_cmac_avr, . - tatu_internal_cmac_avr

/* Y is at the state on the stack. Behind it lies what is pushed here. */
#define STATE_BYTES     16
#define PUSHED_BYTES    3

    .global tatu_internal_cmac_tag_avr
    .hidden tatu_internal_cmac_tag_avr
    .type tatu_internal_cmac_tag_avr, @function
tatu_internal_cmac_tag_avr:
    .cfi_startproc
    push_registers r28, r29, r22, r23, r20
    in r28, _SFR_IO_ADDR(SPL)
    in r29, _SFR_IO_ADDR(SPH)
    sbiw r28, STATE_BYTES
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), r29
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), r28
    .cfi_adjust_cfa_offset STATE_BYTES
    adiw r28, 1
    movw r22, r28
    movw r20, r18
    movw r18, r16
    rcall tatu_internal_cmac_avr
    ldd r20, Y+STATE_BYTES
    ldd XH, Y+STATE_BYTES+1
    ldd XL, Y+STATE_BYTES+2
    ldi r18, STATE_BYTES
    sub r18, r20
1:  ld r0, Y
    st X+, r0
    st Y+, r1
    dec r20
    brne 1b
2:  subi r18, 1
    brcs 3f
    st Y+, r1
    rjmp 2b
3:  adiw r28, PUSHED_BYTES-1
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), r29
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), r28
    .cfi_adjust_cfa_offset -(STATE_BYTES + PUSHED_BYTES)
    pop_registers r29, r28
    ldi r24, 0
    ldi r25, 0
    ret
    .cfi_endproc
    .size tatu_internal_cmac_tag_avr, . - tatu_internal_cmac_tag_avr

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
