/* SHA-256's compression function for AVR (FIPS 180-4, section 6.2.2); the C twin is sha256_compress.c.
 *
 *     void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);
 *
 * Where things are while rounds run:
 *   r2..r17         e, f, g, h. A round makes T1 in place of h and the new e in place of T1, so after four rounds
 *                   each is back where it was.
 *   r18..r25        a, and a temporary that becomes the new a: after two rounds each is back.
 *   the frame       a ring of the last four values of a, that is b, c, d and a itself: read byte by byte where they
 *                   are used.
 *   X               walks hash->block, the last 16 words of the message schedule, lowest byte of each first
 *   Z               walks the round constants in flash
 *   r0, r1          temporaries
 *   Y               the frame, right above SP. So YL can hold a factor for MUL, and comes back from SP.
 *
 * Words are named by their first register, which need not hold the lowest byte: the register of byte j of a word that
 * starts at register w and is turned by t is w + (j + t) % 4. Only a is ever turned. So rotating by whole bytes costs
 * nothing.
 *
 * The schedule is extended 16 words at a time, in place, with all registers to itself. hash->block has a 17th word,
 * which holds a copy of the new first word, so that W[t-15] and W[t-7] need no test for the ring's end but one at a
 * fixed place.
 *
 * How the cycles are spent: docs/reference/kernels/sha256.md. */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_AVR)

#include <avr/io.h>

#include "../../common/assembly_avr.h"
#include "words.inc"

#define BLOCK_OFFSET 32 /* of hash->block in struct tatu_sha256 */
#define BLOCK_BYTES  64

#define E 2
#define F 6
#define G 10
#define H 14
#define A 18
#define S 22

/* The frame: the ring of a's four last values (FRAME_RING + 4 * (round % 4) holds a of that round), the registers
 * that a round needs and the schedule does not, and where the round constants of this pass end. */
#define FRAME_RING  1
#define FRAME_SAVED 17
#define FRAME_END   33
#define FRAME_BYTES 34

/* ---- a round ---- */

/* Round `number` modulo 4. `a` is turned by `turn`, and `s` becomes the new a, turned by one more: rotating right by
 * 2 bits is rotating left by 6 and right by a byte, and that byte is left to the turn. */
.macro round number, a, turn, s, e, f, g, h
    /* h += Sigma1(e): the word is rotated right by 3, 2 and 1 bits with e added in between, which makes 6, 3 and 1 in
     * all: e >>> 6, e >>> 11 = 8 + 3, e >>> 25 = 24 + 1 */
    rotated_right_3 \s, \e, YL
    exclusive_or \s, \e, 1
    rotate_right \s, 2
    exclusive_or \s, \e, 3
    rotate_right \s, 1
    add_word \h, \s
    /* h += Ch(e, f, g) = ((f ^ g) & e) ^ g */
    copy \s, \f
    exclusive_or \s, \g
    .irp j, 0, 1, 2, 3
    and \s+\j, \e+\j
    .endr
    exclusive_or \s, \g
    add_word \h, \s
    add_read \h, lpm r0, Z+
    add_read \h, ld r0, X+
    /* s = Sigma0(a): rotated left by 3, 1 and 2 bits, which makes 6, 3 and 2:
     * a >>> 2 = 8 - 6, a >>> 13 = 16 - 3, a >>> 22 = 24 - 2 */
    rotated_left_3 \s, \a, YL, \turn
    in YL, _SFR_IO_ADDR(SPL)
    exclusive_or \s, \a, 1, \turn, \turn
    rotate_left \s, 1, \turn
    exclusive_or \s, \a, 2, \turn, \turn
    rotate_left \s, 2, \turn
    add_word \s, \h, 0, \turn+1
    /* s += Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b; a is in the ring, so its registers may be used up */
    .irp j, 0, 1, 2, 3
    ldd r0, Y+FRAME_RING+4*((\number+3)&3)+\j
    ldd r1, Y+FRAME_RING+4*((\number+2)&3)+\j
    eor (\a+((\j+\turn)&3)), r0
    eor r1, r0
    and (\a+((\j+\turn)&3)), r1
    eor (\a+((\j+\turn)&3)), r0
    .if \j
    adc (\s+((\j+\turn+1)&3)), (\a+((\j+\turn)&3))
    .else
    add (\s+((\j+\turn+1)&3)), (\a+((\j+\turn)&3))
    .endif
    .endr
    /* the new e = d + T1; the new a goes to the ring, over d */
    .irp j, 0, 1, 2, 3
    ldd r0, Y+FRAME_RING+4*((\number+1)&3)+\j
    .if \j
    adc \h+\j, r0
    .else
    add \h+\j, r0
    .endif
    .endr
    .irp j, 0, 1, 2, 3
    std Y+FRAME_RING+4*((\number+1)&3)+\j, (\s+((\j+\turn+1)&3))
    .endr
.endm

/* ---- the message schedule ---- */

/* One word: w = W[t-16] becomes W[t], at Z + 4 * number. b becomes W[t-15], c is W[t-2] and is used up. X is at
 * W[t-7]. `p` and `q` are temporaries; both are in r16 or above, for andi. */
.macro extend number, w, b, c, p, q
    .irp j, 0, 1, 2, 3
    ldd \b+\j, Z+4*(\number+1)+\j
    .endr
    add_read \w, ld r0, X+
    small_sigma0_turned \p, \b, \q, YL, YH
    add_word \w, \p, 1
    small_sigma1 \c, \p
    add_word \w, \c, 2
    .irp j, 0, 1, 2, 3
    std Z+4*\number+\j, \w+\j
    .endr
.endm

    .section .text.tatu_internal_sha256_compress,"ax",@progbits

/* Four words of the schedule: Z, and X nine words ahead, advance by four words. In: r2 W[t-16], r10 W[t-1], r14
 * W[t-2]. */
    .type extend_by_four, @function
extend_by_four:
    .cfi_startproc
    extend 0, 2, 6, 14, 18, 22
    extend 1, 6, 14, 10, 18, 22
    extend 2, 14, 10, 2, 18, 22
    extend 3, 10, 2, 6, 18, 22
    adiw ZL, 16
    /* The words have moved: W[t-16] is in r2 again, W[t-1] in r10, W[t-2] in r14. */
    ret
    .cfi_endproc
    .size extend_by_four, . - extend_by_four

    .global tatu_internal_sha256_compress
    .hidden tatu_internal_sha256_compress
    .type tatu_internal_sha256_compress, @function
tatu_internal_sha256_compress:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    in YL, _SFR_IO_ADDR(SPL)
    in YH, _SFR_IO_ADDR(SPH)
    sbiw YL, FRAME_BYTES
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), YH
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), YL
    .cfi_adjust_cfa_offset FRAME_BYTES

    /* The block to hash->block, bytes of each word reversed; it may be there already. */
    movw XL, r22
    movw ZL, r24
    adiw ZL, BLOCK_OFFSET
    ldi r23, BLOCK_BYTES/8
reverse_two_words:
    .rept 2
    ld r18, X+
    ld r19, X+
    ld r20, X+
    ld r21, X+
    st Z+, r21
    st Z+, r20
    st Z+, r19
    st Z+, r18
    .endr
    dec r23
    brne reverse_two_words

    movw ZL, r24
    movw XL, r24
    adiw XL, BLOCK_OFFSET
    .irp j, 0, 1, 2, 3
    ldd A+\j, Z+\j
    std Y+FRAME_RING+\j, A+\j
    .endr
    .irp j, 0, 1, 2, 3
    ldd r0, Z+4+\j /* b */
    std Y+FRAME_RING+12+\j, r0
    ldd r0, Z+8+\j /* c */
    std Y+FRAME_RING+8+\j, r0
    ldd r0, Z+12+\j /* d */
    std Y+FRAME_RING+4+\j, r0
    .endr
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd E+\j, Z+16+\j
    .endr
    ldi ZL, lo8(tatu_internal_sha256_round_constants+64)
    std Y+FRAME_END, ZL
    ldi ZL, lo8(tatu_internal_sha256_round_constants)
    ldi ZH, hi8(tatu_internal_sha256_round_constants)

four_rounds:
    round 0, A, 0, S, E, F, G, H
    round 1, S, 1, A, H, E, F, G
    round 2, A, 2, S, G, H, E, F
    round 3, S, 3, A, F, G, H, E
    ldd r0, Y+FRAME_END
    cp ZL, r0
    breq sixteen_rounds_done
    rjmp four_rounds

sixteen_rounds_done:
    /* 256 on from the beginning: of the four ends only the last has this low byte */
    cpi ZL, lo8(tatu_internal_sha256_round_constants)
    brne extend_schedule
    rjmp finish

extend_schedule:
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    std Y+FRAME_SAVED+\j, E+\j
    .endr
    subi ZL, -64
    std Y+FRAME_END, ZL
    subi ZL, 64
    std Y+FRAME_END+1, ZH
    movw ZL, XL
    subi ZL, BLOCK_BYTES
    sbci ZH, 0
    .irp j, 0, 1, 2, 3
    ldd 2+\j, Z+\j
    .endr
    .irp j, 0, 1, 2, 3
    ldd 10+\j, Z+60+\j
    .endr
    .irp j, 0, 1, 2, 3
    ldd 14+\j, Z+56+\j
    .endr
    movw XL, ZL
    adiw XL, 36
    ldi YL, 32
    clr YH
    rcall extend_by_four
    /* W[0], made first, again after W[15]; X is at W[13] */
    movw r22, XL
    adiw XL, 12
    sbiw ZL, 16
    .rept 4
    ld r0, Z+
    st X+, r0
    .endr
    adiw ZL, 12
    movw XL, r22
    rcall extend_by_four
    /* X is at the copy's end: on with W[1] */
    subi XL, BLOCK_BYTES
    sbci XH, 0
    rcall extend_by_four
    rcall extend_by_four
    movw XL, ZL
    subi XL, BLOCK_BYTES
    sbci XH, 0
    in YL, _SFR_IO_ADDR(SPL)
    in YH, _SFR_IO_ADDR(SPH)
    ldd ZL, Y+FRAME_END
    ldd ZH, Y+FRAME_END+1
    subi ZL, 64
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd E+\j, Y+FRAME_SAVED+\j
    .endr
    .irp j, 0, 1, 2, 3
    ldd A+\j, Y+FRAME_RING+\j
    .endr
    rjmp four_rounds

/* Step 4: the state of before is added. X is at the block's end. */
finish:
    movw ZL, XL
    subi ZL, BLOCK_OFFSET+BLOCK_BYTES
    sbci ZH, 0
    .irp j, 0, 1, 2, 3
    ldd r0, Z+\j
    .if \j
    adc A+\j, r0
    .else
    add A+\j, r0
    .endif
    std Z+\j, A+\j
    .endr
    .irp word, 1, 2, 3 /* b, c, d, which the ring holds backwards */
    .irp j, 0, 1, 2, 3
    ldd r0, Z+4*\word+\j
    ldd r18, Y+FRAME_RING+4*(4-\word)+\j
    .if \j
    adc r0, r18
    .else
    add r0, r18
    .endif
    std Z+4*\word+\j, r0
    .endr
    .endr
    .irp word, 0, 4, 8, 12
    .irp j, 0, 1, 2, 3
    ldd r0, Z+16+\word+\j
    .if \j
    adc E+\word+\j, r0
    .else
    add E+\word+\j, r0
    .endif
    std Z+16+\word+\j, E+\word+\j
    .endr
    .endr
    clr r1
    .irp word, 0, 4, 8, 12, 16, 20, 24, 28
    .irp j, 0, 1, 2, 3
    std Y+FRAME_RING+\word+\j, r1
    .endr
    .endr

    adiw YL, FRAME_BYTES
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), YH
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), YL
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_sha256_compress, . - tatu_internal_sha256_compress

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
