/* SHA-256's compression function for AVR in little flash (FIPS 180-4, section 6.2.2); the C twin is
 * sha256_small_compress.c.
 *
 *     void tatu_internal_sha256_small_compress(uint32_t state[8], const uint8_t block[64]);
 *
 * All 64 words of the message schedule come first, then one round 64 times. The frame is one row of words: d, c, b and
 * a, then the schedule. A round takes its word of the schedule and leaves the new a in its place. So d, c, b and a are
 * always the four words before it, and none of them moves. The round wipes the old d, and so the whole frame is zeros
 * at the end.
 *
 * Where things are while rounds run:
 *   r2..r17         e, f, g, h. h becomes T1 and the new e; then the four words move.
 *   r18..r25        a, and a temporary that becomes the new a
 *   Y               the frame's word d; the word of the schedule is at Y+16
 *   Z               walks the round constants in flash
 *   XL              a power of two: MUL by it rotates a word
 *   r0, r1          temporaries
 *
 * How the cycles are spent: docs/reference/kernels/sha256.md. */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_SMALL_IN_AVR)

#include <avr/io.h>

#include "../../common/assembly_avr.h"
#include "words.inc"

#define E 2
#define F 6
#define G 10
#define H 14
#define A 18
#define S 22

#define WORDS_BEFORE 4
#define FRAME_BYTES  (4*(WORDS_BEFORE+64))

    .section .text.tatu_internal_sha256_small_compress,"ax",@progbits
    .global tatu_internal_sha256_small_compress
    .hidden tatu_internal_sha256_small_compress
    .type tatu_internal_sha256_small_compress, @function
tatu_internal_sha256_small_compress:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    push_registers r24, r25     /* where the state is, for the end */
    in YL, _SFR_IO_ADDR(SPL)
    in YH, _SFR_IO_ADDR(SPH)
    subi YL, lo8(FRAME_BYTES)
    sbci YH, hi8(FRAME_BYTES)
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), YH
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), YL
    .cfi_adjust_cfa_offset FRAME_BYTES
    adiw YL, 1+4*WORDS_BEFORE

    /* the block: the first 16 words of the schedule, lowest byte of each first */
    movw XL, r22
    movw ZL, YL
    ldi r18, 16
1:  ld r20, X+
    ld r21, X+
    ld r22, X+
    ld r23, X+
    st Z+, r23
    st Z+, r22
    st Z+, r21
    st Z+, r20
    dec r18
    brne 1b

    /* the other 48 (step 1): Y is at W[t-16], Z at W[t] */
    ldi r18, 48
extend:
    load_word 10, Y, 4*0
    add_at 10, Y, 4*9
    load_word 2, Y, 4*1
    small_sigma0 20, 2, 2
    add_word 10, 20
    load_word 2, Y, 4*14
    small_sigma1 2, 6
    add_word 10, 2, 2
    .irp j, 0, 1, 2, 3
    st Z+, 10+\j
    .endr
    adiw YL, 4
    dec r18
    breq 1f
    rjmp extend
1:
    subi YL, lo8(4*(48+WORDS_BEFORE))
    sbci YH, hi8(4*(48+WORDS_BEFORE))

    /* step 2: e to h, then d, c, b and a; the last one stays in its registers too */
    movw XL, r24
    adiw XL, 16
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld \register, X+
    .endr
    sbiw XL, 16
    movw ZL, YL
    ldi S, 4
1:  ld A+3, -X
    ld A+2, -X
    ld A+1, -X
    ld A, -X
    st Z+, A
    st Z+, A+1
    st Z+, A+2
    st Z+, A+3
    dec S
    brne 1b
    ldi ZL, lo8(tatu_internal_sha256_round_constants)
    ldi ZH, hi8(tatu_internal_sha256_round_constants)

round: /* step 3 */
    /* h += Sigma1(e): e >>> 6, e >>> 11 = 8 + 3, e >>> 25 = 24 + 1 */
    ldi XL, 1<<(8-3)
    rotate_by_product S, E, XL
    exclusive_or S, E, 1
    rotate_right S, 2
    exclusive_or S, E, 3
    rotate_right S, 1
    add_word H, S
    /* h += Ch(e, f, g) = ((f ^ g) & e) ^ g */
    copy S, F
    exclusive_or S, G
    .irp j, 0, 1, 2, 3
    and S+\j, E+\j
    .endr
    exclusive_or S, G
    add_word H, S
    add_read H, lpm r0, Z+
    add_at H, Y, 4*WORDS_BEFORE
    /* s = Sigma0(a) + T1: a >>> 2 = 5 - 3, a >>> 13 = 16 - 3, a >>> 22 = 24 - 2 */
    ldi XL, 1<<(8-5)
    rotate_by_product S, A, XL
    clr r1
    exclusive_or S, A, 2
    rotate_left S, 1
    exclusive_or S, A, 3
    rotate_left S, 2
    add_word S, H
    /* the new e = d + T1 */
    add_at H, Y, 0
    .irp j, 0, 1, 2, 3
    std Y+\j, r1
    .endr
    /* s += Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b is the new a */
    .irp j, 0, 1, 2, 3
    ldd r0, Y+8+\j
    ldd r1, Y+4+\j
    eor A+\j, r0
    eor r1, r0
    and A+\j, r1
    eor A+\j, r0
    .if \j
    adc S+\j, A+\j
    .else
    add S+\j, A+\j
    .endif
    std Y+16+\j, S+\j
    .endr
    adiw YL, 4
    copy A, H
    copy H, G
    copy G, F
    copy F, E
    copy E, A
    copy A, S
    cpi ZL, lo8(tatu_internal_sha256_round_constants) /* 256 on from the beginning */
    breq 1f
    rjmp round
1:

    /* Step 4. h, g, f and e go before the d, c, b and a of the frame. Words are added from the last to the first. */
    clr r1
    sbiw YL, 16
    .irp j, 0, 1, 2, 3
    std Y+\j, H+\j
    .endr
    .irp j, 0, 1, 2, 3
    std Y+4+\j, G+\j
    .endr
    .irp j, 0, 1, 2, 3
    std Y+8+\j, F+\j
    .endr
    .irp j, 0, 1, 2, 3
    std Y+12+\j, E+\j
    .endr
    ldd XH, Y+32
    ldd XL, Y+33
    movw ZL, YL
    adiw ZL, 28
    ldi r25, 8
1:  ldi r24, 4
    clc
2:  ld r0, Z
    ld r18, X
    adc r18, r0
    st X+, r18
    st Z+, r1
    dec r24
    brne 2b
    sbiw ZL, 8
    dec r25
    brne 1b

    adiw YL, 33
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), YH
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), YL
    .cfi_adjust_cfa_offset -(FRAME_BYTES + 2)
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_sha256_small_compress, . - tatu_internal_sha256_small_compress

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
