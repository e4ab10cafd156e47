/* SHA-512's compression function for AVR (FIPS 180-4, section 6.4.2); the C twin is sha512_compress.c.
 *
 *     void tatu_internal_sha512_compress(struct tatu_sha512 *hash, const uint8_t *block);
 *
 * Where things are while rounds run:
 *   r2..r9          a
 *   r10..r17        e; in the second half of a round the new a
 *   r18..r25        T1, then the new e
 *   the row         entries of 16 bytes: a and e of one round. Y is at the entry four rounds back (d and h), the next
 *                   ones are c and g, b and f. A round adds an entry. After eight rounds the last four entries are
 *                   copied to the row's beginning.
 *   X               walks hash->block, the last 16 words of the message schedule, lowest byte of each first
 *   Z               walks the round constants in flash
 *   r0, r1          temporaries
 *
 * Words are named by their first register. Rotating by whole bytes costs nothing: a word that is turned by t has byte j
 * in register (j + t) % 8 of its eight.
 *
 * The schedule is extended 16 words at a time, in place, with all registers to itself. a and e are then read from the
 * row again. hash->block has a 17th word, which holds a copy of the new first word: so W[t-15] needs no test for the
 * end of the block.
 *
 * How the cycles are spent: docs/reference/kernels/sha512.md. */
#include "../sha512_backend.h"

#if defined(TATU_INTERNAL_SHA512_IN_AVR)

#include <avr/io.h>

#include "../../common/assembly_avr.h"

#define BLOCK_OFFSET 64 /* of hash->block in struct tatu_sha512 */
#define BLOCK_BYTES  128

#define A 2
#define E 10
#define S 18

#define ENTRY_BYTES   16
#define ROUNDS_A_PASS 8
#define ROW_BYTES     (ENTRY_BYTES*(4+ROUNDS_A_PASS))

/* Places of words in the row, from Y. */
#define D_PLACE 0
#define H_PLACE 8
#define C_PLACE 16
#define G_PLACE 24
#define B_PLACE 32
#define F_PLACE 40
#define A_PLACE 48
#define E_PLACE 56

; to ^= from >>> (8 * right_bytes); the two may be turned
.macro exclusive_or_long to, from, right_bytes=0, to_turn=0
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    eor (\to+((\j+\to_turn)&7)), (\from+((\j+\right_bytes)&7))
    .endr
.endm

; to += from
.macro add_long to, from
    add \to, \from
    .irp j, 1, 2, 3, 4, 5, 6, 7
    adc \to+\j, \from+\j
    .endr
.endm

; Eight bytes by `read`, an instruction with its operand after the register, added to a word.
.macro add_read_long to, read:vararg
    \read
    add \to, r0
    .irp j, 1, 2, 3, 4, 5, 6, 7
    \read
    adc \to+\j, r0
    .endr
.endm

; Eight bytes at a displacement from a pointer, added to a word.
.macro add_at_long to, pointer, place
    ldd r0, \pointer+\place
    add \to, r0
    .irp j, 1, 2, 3, 4, 5, 6, 7
    ldd r0, \pointer+\place+\j
    adc \to+\j, r0
    .endr
.endm

; Rotates a turned word right by 1 bit.
.macro rotate_right_long word, turn=0
    mov r0, (\word+((0+\turn)&7))
    lsr r0
    .irp j, 7, 6, 5, 4, 3, 2, 1, 0
    ror (\word+((\j+\turn)&7))
    .endr
.endm

; Left by `bits`. r1 is zero.
.macro rotate_left_long word, bits, turn=0
    .rept \bits
    lsl (\word+((0+\turn)&7))
    .irp j, 1, 2, 3, 4, 5, 6, 7
    rol (\word+((\j+\turn)&7))
    .endr
    adc (\word+((0+\turn)&7)), r1
    .endr
.endm

; A word of 64 bits, and a ninth byte r0 above it, left by `bits`. r0 is zero before.
.macro shift_left_long word, bits
    .rept \bits
    lsl \word
    .irp j, 1, 2, 3, 4, 5, 6, 7
    rol \word+\j
    .endr
    rol r0
    .endr
.endm

    .section .progmem.data.tatu_internal_sha512_round_constants,"a",@progbits
    .type round_constants, @object
round_constants: /* FIPS 180-4, section 4.2.3 */
    .quad 0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538
    .quad 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe
    .quad 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235
    .quad 0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65
    .quad 0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab
    .quad 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725
    .quad 0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed
    .quad 0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b
    .quad 0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218
    .quad 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53
    .quad 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373
    .quad 0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec
    .quad 0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c
    .quad 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6
    .quad 0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc
    .quad 0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817
    .size round_constants, . - round_constants

    .section .text.tatu_internal_sha512_compress,"ax",@progbits

/* r18 words of the schedule (step 1). Z is at W[t-16], X at W[t-7] and Y at W[t-2]; each advances by a word. */
    .type extend, @function
extend:
    .cfi_startproc
    push_registers r18
extend_word:
    /* sigma0 of W[t-15]: >>> 8 and >>> 1, and >> 7, which is << 1 and a byte to the right */
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd 10+\j, Z+8+\j
    .endr
    movw 2, 10
    movw 4, 12
    movw 6, 14
    movw 8, 16
    rotate_right_long 2
    exclusive_or_long 2, 10, 1
    clr r0
    shift_left_long 10, 1
    .irp j, 0, 1, 2, 3, 4, 5, 6
    eor 2+\j, 10+\j+1
    .endr
    eor 9, r0
    add_at_long 2, Z, 0
    add_read_long 2, ld r0, X+
    /* sigma1 of W[t-2]: >> 6 is << 2 and a byte to the right; >>> 61 is <<< 3; >>> 19 is <<< 5 and three bytes to the
     * right */
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ld 10+\j, Y+
    .endr
    clr r0
    shift_left_long 10, 2
    .irp j, 0, 1, 2, 3, 4, 5, 6
    mov 18+\j, 10+\j+1
    .endr
    mov 25, r0
    eor 10, r0
    rotate_left_long 10, 1
    exclusive_or_long 18, 10
    rotate_left_long 10, 2
    exclusive_or_long 18, 10, 3
    add_long 2, 18
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    st Z+, 2+\j
    .endr
    pop_registers r0
    dec r0
    breq 1f
    push_registers r0
    rjmp extend_word
    .cfi_adjust_cfa_offset -1
1:  ret
    .cfi_endproc
    .size extend, . - extend

    .global tatu_internal_sha512_compress
    .hidden tatu_internal_sha512_compress
    .type tatu_internal_sha512_compress, @function
tatu_internal_sha512_compress:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    in YL, _SFR_IO_ADDR(SPL)
    in YH, _SFR_IO_ADDR(SPH)
    subi YL, lo8(ROW_BYTES)
    sbci YH, hi8(ROW_BYTES)
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), YH
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), YL
    .cfi_adjust_cfa_offset ROW_BYTES
    adiw YL, 1

    /* step 2: the state to the first four entries, the last one first */
    movw ZL, r24
    movw XL, YL
    adiw XL, A_PLACE
    ldi r18, 4
1:  .rept 8
    ld r0, Z+
    st X+, r0
    .endr
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Z+24+\j
    st X+, r0
    .endr
    sbiw XL, 2*ENTRY_BYTES
    dec r18
    brne 1b

    /* the block to hash->block, bytes of each word reversed; it may be there already */
    adiw ZL, BLOCK_OFFSET-32
    movw XL, r22
    ldi r18, BLOCK_BYTES/8
1:  .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ld 2+\j, X+
    .endr
    .irp j, 7, 6, 5, 4, 3, 2, 1, 0
    st Z+, 2+\j
    .endr
    dec r18
    brne 1b
    movw XL, ZL
    subi XL, lo8(BLOCK_BYTES)
    sbci XH, hi8(BLOCK_BYTES)
    ldi ZL, lo8(round_constants)
    ldi ZH, hi8(round_constants)

load_a_and_e:
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd A+\j, Y+A_PLACE+\j
    .endr
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd E+\j, Y+E_PLACE+\j
    .endr

round: /* step 3 */
    /* Sigma1(e): e <<< 4, then rotated right by 1 and 1 bits with e added in between, which makes <<< 2, >>> 2 and
     * >>> 1: e >>> 14 = 16 - 2, e >>> 18 = 16 + 2, e >>> 41 = 40 + 1. The word is turned by 6, which is >>> 16. */
    movw S+6, E
    movw S, E+2
    movw S+2, E+4
    movw S+4, E+6
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    eor (S+((\j+6)&7)), (E+((\j+7)&7))
    andi (S+((\j+6)&7)), 0xf0
    eor (S+((\j+6)&7)), E+\j
    swap (S+((\j+6)&7))
    .endr
    exclusive_or_long S, E, 0, 6
    rotate_right_long S, 6
    exclusive_or_long S, E, 3, 6
    rotate_right_long S, 6
    /* T1 = Sigma1(e) + h + K + W + Ch(e, f, g), where Ch = ((f ^ g) & e) ^ g */
    add_at_long S, Y, H_PLACE
    add_read_long S, lpm r0, Z+
    add_read_long S, ld r0, X+
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Y+F_PLACE+\j
    ldd r1, Y+G_PLACE+\j
    eor r0, r1
    and r0, E+\j
    eor r0, r1
    .if \j
    adc S+\j, r0
    .else
    add S, r0
    .endif
    .endr
    clr r1
    /* Sigma0(a) in place of e: rotated left by 2, 3 and 1 bits, which makes <<< 6, <<< 4 and <<< 1:
     * a >>> 34 = 40 - 6, a >>> 28 = 32 - 4, a >>> 39 = 40 - 1. The word is turned by 3, which is >>> 40. */
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    mov (E+((\j+3)&7)), A+\j
    .endr
    rotate_left_long E, 2, 3
    exclusive_or_long E, A, 7, 3
    rotate_left_long E, 3, 3
    exclusive_or_long E, A, 0, 3
    rotate_left_long E, 1, 3
    add_long E, S
    /* the new a = T1 + Sigma0(a) + Maj(a, b, c), where Maj = a ^ ((a ^ b) & ~(b ^ c)) */
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Y+B_PLACE+\j
    ldd r1, Y+C_PLACE+\j
    eor r1, r0
    eor r0, A+\j
    and r1, r0
    eor r1, r0
    eor r1, A+\j
    .if \j
    adc E+\j, r1
    .else
    add E, r1
    .endif
    .endr
    /* the new e = d + T1 */
    add_at_long S, Y, D_PLACE
    adiw YL, ENTRY_BYTES
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    std Y+A_PLACE+\j, E+\j
    .endr
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    std Y+E_PLACE+\j, S+\j
    .endr
    .irp j, 0, 2, 4, 6
    movw A+\j, E+\j
    movw E+\j, S+\j
    .endr
    /* eight rounds take 64 bytes of constants */
    mov r18, ZL
    subi r18, lo8(round_constants)
    andi r18, 8*ROUNDS_A_PASS-1
    breq pass_done
    rjmp round

pass_done:
    clr r1
    movw r24, XL
    movw XL, YL
    subi YL, lo8(ENTRY_BYTES*ROUNDS_A_PASS)
    sbci YH, hi8(ENTRY_BYTES*ROUNDS_A_PASS)
    ldi r18, 8
1:  .rept 8
    ld r0, X+
    st Y+, r0
    .endr
    dec r18
    brne 1b
    subi YL, 64
    sbci YH, 0
    movw XL, r24
    mov r18, ZL
    subi r18, lo8(round_constants)
    andi r18, 8*16-1
    breq 1f
    rjmp round
1:  cpi ZL, lo8(round_constants+8*80)
    ldi r18, hi8(round_constants+8*80)
    cpc ZH, r18
    breq finish

    /* 16 words of the schedule: W[t-7] and W[t-2] reach the end of the block at words of their own */
    push_values ZL, ZH, YL, YH
    movw ZL, XL
    subi ZL, lo8(BLOCK_BYTES)
    sbci ZH, hi8(BLOCK_BYTES)
    movw YL, XL
    sbiw YL, 8*2
    sbiw XL, 8*7
    ldi r18, 2
    rcall extend
    sbiw ZL, 16
    .rept 8     /* W[0] after W[15] */
    ld r0, Z+
    st Y+, r0
    .endr
    adiw ZL, 8
    subi YL, lo8(BLOCK_BYTES+8)
    sbci YH, hi8(BLOCK_BYTES+8)
    ldi r18, 5
    rcall extend
    subi XL, lo8(BLOCK_BYTES)
    sbci XH, hi8(BLOCK_BYTES)
    ldi r18, 9
    rcall extend
    movw XL, ZL
    subi XL, lo8(BLOCK_BYTES)
    sbci XH, hi8(BLOCK_BYTES)
    pop_values YH, YL, ZH, ZL
    rjmp load_a_and_e

/* Step 4: the state of before is added. X is at the block's end. */
finish:
    movw ZL, XL
    subi ZL, lo8(BLOCK_OFFSET+BLOCK_BYTES)
    sbci ZH, hi8(BLOCK_OFFSET+BLOCK_BYTES)
    movw XL, YL
    adiw XL, A_PLACE
    ldi r18, 4
add_entry:
    ld r0, Z
    ld r20, X+
    add r0, r20
    st Z+, r0
    .rept 7
    ld r0, Z
    ld r20, X+
    adc r0, r20
    st Z+, r0
    .endr
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Z+24+\j
    ld r20, X+
    .if \j
    adc r0, r20
    .else
    add r0, r20
    .endif
    std Z+24+\j, r0
    .endr
    sbiw XL, 2*ENTRY_BYTES
    dec r18
    breq 1f
    rjmp add_entry
1:

    ldi r18, ROW_BYTES/8
1:  .rept 8
    st Y+, r1
    .endr
    dec r18
    brne 1b
    sbiw YL, 1
    in r0, _SFR_IO_ADDR(SREG)
    cli
    out _SFR_IO_ADDR(SPH), YH
    out _SFR_IO_ADDR(SREG), r0
    out _SFR_IO_ADDR(SPL), YL
    .cfi_adjust_cfa_offset -(ROW_BYTES)
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_sha512_compress, . - tatu_internal_sha512_compress

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
