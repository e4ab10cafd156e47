/* The twenty rounds of ChaCha20 for AVR (RFC 8439, sections 2.1 to 2.3). The portable twin: chacha20_permutation.c.
 * How it is made: docs/reference/kernels/chacha20.md.
 *
 * A quarter round needs four of the sixteen words, and there is room for six: of the words that one quarter round
 * leaves, those that are needed again first stay (10 of the 32 that a double round reads and writes).
 *
 * Rotating a word by whole bytes costs nothing: the next instruction takes its registers in another order. So a word
 * lies in its four registers from byte 0 on (A), or with byte 0 in the second (A_1) or third (A_2), and so on. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_AVR)

#include "../../common/assembly_avr.h"

#define A r2, r3, r4, r5
#define A_1 r3, r4, r5, r2
#define A_2 r4, r5, r2, r3
#define A_3 r5, r2, r3, r4
#define B r6, r7, r8, r9
#define B_1 r7, r8, r9, r6
#define B_2 r8, r9, r6, r7
#define B_3 r9, r6, r7, r8
#define C r10, r11, r12, r13
#define C_1 r11, r12, r13, r10
#define C_2 r12, r13, r10, r11
#define C_3 r13, r10, r11, r12
#define D r14, r15, r16, r17
#define D_1 r15, r16, r17, r14
#define D_2 r16, r17, r14, r15
#define D_3 r17, r14, r15, r16
#define E r18, r19, r20, r21
#define E_1 r19, r20, r21, r18
#define E_2 r20, r21, r18, r19
#define E_3 r21, r18, r19, r20
#define F r22, r23, r24, r25
#define F_1 r23, r24, r25, r22
#define F_2 r24, r25, r22, r23
#define F_3 r25, r22, r23, r24

#define SAVED_LOW r26
#define SAVED_HIGH r27
#define SIXTEEN r30
#define DOUBLE_ROUNDS r31

.macro load word, x0, x1, x2, x3
    ldd \x0, Y + 4 * \word
    ldd \x1, Y + 4 * \word + 1
    ldd \x2, Y + 4 * \word + 2
    ldd \x3, Y + 4 * \word + 3
.endm

.macro store word, x0, x1, x2, x3
    std Y + 4 * \word, \x0
    std Y + 4 * \word + 1, \x1
    std Y + 4 * \word + 2, \x2
    std Y + 4 * \word + 3, \x3
.endm

.macro add_words x0, x1, x2, x3, y0, y1, y2, y3
    add \x0, \y0
    adc \x1, \y1
    adc \x2, \y2
    adc \x3, \y3
.endm

.macro exclusive_or x0, x1, x2, x3, y0, y1, y2, y3
    eor \x0, \y0
    eor \x1, \y1
    eor \x2, \y2
    eor \x3, \y3
.endm

; x <<<= 4, 16 cycles: a byte times 16 is two bytes, its upper half in one and its lower half in the other. x0 must have
; an even number, and x2.
.macro rotate_left_4 x0, x1, x2, x3
    mul \x3, SIXTEEN
    movw SAVED_LOW, r0
    mul \x2, SIXTEEN
    movw \x2, r0
    eor \x3, SAVED_LOW
    mul \x1, SIXTEEN
    eor \x2, r1
    mov \x1, r0
    mul \x0, SIXTEEN
    eor \x1, r1
    mov \x0, r0
    eor \x0, SAVED_HIGH
.endm

; y = x <<< 4, 14 cycles, where there are four registers to spare; y0 must have an even number, and y2
.macro rotate_left_4_to y0, y1, y2, y3, x0, x1, x2, x3
    mul \x0, SIXTEEN
    movw \y0, r0
    mul \x2, SIXTEEN
    movw \y2, r0
    mul \x1, SIXTEEN
    eor \y1, r0
    eor \y2, r1
    mul \x3, SIXTEEN
    eor \y3, r0
    eor \y0, r1
.endm

.macro rotate_right_1 x0, x1, x2, x3
    bst \x0, 0
    ror \x3
    ror \x2
    ror \x1
    ror \x0
    bld \x3, 7
.endm

; Section 2.1, 54 cycles. Leaves byte 0 of b in b2, and byte 0 of d in d1.
.macro quarter_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    begin_quarter_round \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
    rotate_left_4 \b0, \b1, \b2, \b3
    end_quarter_round \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
.endm

; The same in 52 cycles, b moving to t.
.macro quarter_round_to t0, t1, t2, t3, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    begin_quarter_round \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
    rotate_left_4_to \t0, \t1, \t2, \t3, \b0, \b1, \b2, \b3
    end_quarter_round \a0, \a1, \a2, \a3, \t0, \t1, \t2, \t3, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
.endm

.macro begin_quarter_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    add_words \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
    exclusive_or \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
    ; d <<<= 16: byte 0 is in d2
    add_words \c0, \c1, \c2, \c3, \d2, \d3, \d0, \d1
    exclusive_or \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
    ; b <<<= 12: left by 4 (the caller), left by 8: byte 0 is in b3
.endm

.macro end_quarter_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    add_words \a0, \a1, \a2, \a3, \b3, \b0, \b1, \b2
    exclusive_or \d2, \d3, \d0, \d1, \a0, \a1, \a2, \a3
    ; d <<<= 8: byte 0 is in d1
    add_words \c0, \c1, \c2, \c3, \d1, \d2, \d3, \d0
    exclusive_or \b3, \b0, \b1, \b2, \c0, \c1, \c2, \c3
    ; b <<<= 7: right by one, left by 8: byte 0 is in b2
    rotate_right_1 \b3, \b0, \b1, \b2
.endm

.section .text.tatu_internal_chacha20_permute, "ax", @progbits
.global tatu_internal_chacha20_permute
.hidden tatu_internal_chacha20_permute
.type tatu_internal_chacha20_permute, @function

; void tatu_internal_chacha20_permute(uint8_t state[64] (r25:r24))
tatu_internal_chacha20_permute:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r28, r24
    ldi SIXTEEN, 16
    ldi DOUBLE_ROUNDS, 10
    load 4, C_2
    load 8, B
    load 12, D_1
    load 9, E
    load 14, F_1

.Ldouble_round:                 ; x4 in C_2, x8 in B, x12 in D_1, x9 in E, x14 in F_1
    load 0, A
    quarter_round A, C_2, B, D_1
    store 0, A
    store 4, C
    store 8, B
    store 12, D_2

    load 1, A
    load 5, C
    load 13, D
    quarter_round_to B, A, C, E, D
    store 1, A
    store 9, E
    store 13, D_1               ; x5 waits in B_2

    load 2, A
    load 6, C
    load 10, D
    quarter_round_to E, A, C, D, F_1
    store 2, A
    store 6, E_2
    store 14, F_2               ; x10 waits in D

    load 3, A
    load 7, C
    load 11, E
    load 15, F
    quarter_round A, C, E, F
    store 3, A                  ; x7 waits in C_2, x11 in E

    load 0, A
    quarter_round A, B_2, D, F_1
    store 0, A
    store 5, B
    store 10, D
    store 15, F_2

    load 1, A
    load 6, B
    load 12, D
    quarter_round_to F, A, B, E, D
    store 1, A
    store 6, F_2
    store 11, E                 ; x12 waits in D_1

    load 2, A
    load 8, B
    load 13, E
    quarter_round_to F, A, C_2, B, E
    store 2, A
    store 7, F_2
    store 13, E_1               ; x8 waits in B

    load 3, A
    load 4, C
    load 9, E
    load 14, F
    quarter_round A, C, E, F
    store 3, A

    dec DOUBLE_ROUNDS
    breq .Ldone
    rjmp .Ldouble_round

.Ldone:
    store 4, C_2
    store 8, B
    store 12, D_1
    store 9, E
    store 14, F_1
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    clr r1
    ret
    .cfi_endproc
.size tatu_internal_chacha20_permute, . - tatu_internal_chacha20_permute

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
