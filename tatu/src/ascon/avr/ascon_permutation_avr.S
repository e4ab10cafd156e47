/* Ascon-p for AVR (NIST SP 800-232, section 3). The portable twin: ascon_permutation.c. How it is made:
 * docs/reference/kernels/ascon.md.
 *
 * The state is 40 bytes and there are 32 registers, so a round is cut where the least has to move:
 *
 * S-box, column by column    S0, S1, S2 are in registers, S3 and S4 come from memory,  S0 and S1 go to memory
 * linear layer, by words     S3 and S4 from registers to memory; S2 in registers; S0 and S1 from memory to registers
 *
 * Two more bytes, 6 and 7 of S2, are in memory whenever 8 registers are needed beside 24 (a word and its rotated
 * copy).
 *
 * S1, S2 and S3 are kept inverted: with them inverted five of the S-box's six complements turn AND into OR or
 * vanish, and three terms of a linear layer invert what they are given. The callers know
 * (tatu_internal_ascon_inversion). */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_AVR)

#include "layout.h"

#define LAST_CONSTANT 0x4b
#define CONSTANT_STEP 0x0f

; A rotated copy of a word, when R6 and R7 are in memory.
#define T0 r0
#define T1 r1
#define T2 r26
#define T3 r27
#define T4 r30
#define T5 r31
#define T6 R6
#define T7 R7

; word >>> 1, 10 cycles; w7 is the most significant byte
.macro rotate_right_1 w0, w1, w2, w3, w4, w5, w6, w7
    bst \w0, 0
    ror \w7
    ror \w6
    ror \w5
    ror \w4
    ror \w3
    ror \w2
    ror \w1
    ror \w0
    bld \w7, 7
.endm

; word <<< 1, 10 cycles
.macro rotate_left_1 w0, w1, w2, w3, w4, w5, w6, w7
    bst \w7, 7
    lsl \w0
    rol \w1
    rol \w2
    rol \w3
    rol \w4
    rol \w5
    rol \w6
    rol \w7
    bld \w0, 0
.endm

; The same in 9 where there is a register with zero.
.macro rotate_left_1_with zero, w0, w1, w2, w3, w4, w5, w6, w7
    lsl \w0
    rol \w1
    rol \w2
    rol \w3
    rol \w4
    rol \w5
    rol \w6
    rol \w7
    adc \w0, \zero
.endm

; a ^= b, bytes in the order given: turns by whole bytes are a matter of names
.macro exclusive_or a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7
    eor \a0, \b0
    eor \a1, \b1
    eor \a2, \b2
    eor \a3, \b3
    eor \a4, \b4
    eor \a5, \b5
    eor \a6, \b6
    eor \a7, \b7
.endm

.macro load offset, w0, w1, w2, w3, w4, w5, w6, w7
    ldd \w0, Y + \offset
    ldd \w1, Y + \offset + 1
    ldd \w2, Y + \offset + 2
    ldd \w3, Y + \offset + 3
    ldd \w4, Y + \offset + 4
    ldd \w5, Y + \offset + 5
    ldd \w6, Y + \offset + 6
    ldd \w7, Y + \offset + 7
.endm

.macro load_six offset, w0, w1, w2, w3, w4, w5
    ldd \w0, Y + \offset
    ldd \w1, Y + \offset + 1
    ldd \w2, Y + \offset + 2
    ldd \w3, Y + \offset + 3
    ldd \w4, Y + \offset + 4
    ldd \w5, Y + \offset + 5
.endm

.macro store_six offset, w0, w1, w2, w3, w4, w5
    std Y + \offset, \w0
    std Y + \offset + 1, \w1
    std Y + \offset + 2, \w2
    std Y + \offset + 3, \w3
    std Y + \offset + 4, \w4
    std Y + \offset + 5, \w5
.endm

.macro store offset, w0, w1, w2, w3, w4, w5, w6, w7
    std Y + \offset, \w0
    std Y + \offset + 1, \w1
    std Y + \offset + 2, \w2
    std Y + \offset + 3, \w3
    std Y + \offset + 4, \w4
    std Y + \offset + 5, \w5
    std Y + \offset + 6, \w6
    std Y + \offset + 7, \w7
.endm

; Section 3.3 for two columns of bytes. With A = S0 ^ S4, B = S1, C = S2 ^ S1, D = S3, E = S4 ^ S3 it uses
;   S4' = E ^ (~A & B)     S0' = S4' ^ A ^ (~B & C)     S1' = B ^ (~C & D) ^ A ^ (~B & C)
;   S2' = ~((D | E) ^ C ^ D)     S3' = (D | E) ^ C ^ (~E & A)
; S0 -> S3' in p, S1 -> S4' in q, S2 -> S2' in r; S0' and S1' go to memory.
.macro substitute_columns column, p, p_, q, q_, r, r_
    eor \r, \q                  ; C
    eor \r_, \q_
    movw r26, \q
    movw r30, \r
    substitute_column \column, \p, \q, \r, r26, r30
    substitute_column \column + 1, \p_, \q_, \r_, r27, r31
.endm

; p = S0, q = ~B, r = C, copy of ~B in t, copy of C in u; ~D in r0, ~E in r1
.macro substitute_column column, p, q, r, t, u
    ldd r1, Y + S4 + \column
    ldd r0, Y + S3 + \column
    eor \p, r1                  ; A
    eor r1, r0                  ; E, inverted
    and \t, \r                  ; ~B & C
    or \u, r0                   ; ~(~C & D)
    eor \u, \q
    eor \t, \p
    or \q, \p                   ; ~(~A & B)
    eor \q, r1                  ; S4'
    eor \u, \t
    com \u                      ; S1', inverted
    eor \t, \q                  ; S0'
    and \p, r1                  ; ~E & A
    and r1, r0                  ; ~(D | E)
    eor \r, r1
    eor \p, \r                  ; S3', inverted
    eor \r, r0                  ; S2', inverted
    std Y + S0 + \column, \t
    std Y + S1 + \column, \u
.endm

; A byte shifted right by 3 is two bytes of its product with 2^5.
.macro add_rotated_19 byte, lower, upper
    mul \byte, r26
    eor \lower, r0
    eor \upper, r1
.endm

.section .text.tatu_internal_ascon_rounds, "ax", @progbits
.global tatu_internal_ascon_rounds
.hidden tatu_internal_ascon_rounds
.type tatu_internal_ascon_rounds, @function

tatu_internal_ascon_rounds:
    .cfi_startproc
.Lround:                        ; S0 in P, S1 in Q, S2 in R; the constant in r26
    eor R0, r26                 ; section 3.2
    subi r26, CONSTANT_STEP
    push_registers r26
    substitute_columns 0, P0, P1, Q0, Q1, R0, R1
    substitute_columns 2, P2, P3, Q2, Q3, R2, R3
    substitute_columns 4, P4, P5, Q4, Q5, R4, R5
    ldd R6, Y + S2 + 6
    ldd R7, Y + S2 + 7
    substitute_columns 6, P6, P7, Q6, Q7, R6, R7

    ; Section 3.4. S3 in P, S4 in Q, S2 in R.
    std Y + S2 + 6, R6
    std Y + S2 + 7, R7
    ; S3 ^= (S3 >>> 10) ^ (S3 >>> 17), which is ((S3 >>> 16) ^ (S3 >>> 9)) >>> 1
    movw T0, P0
    movw T2, P2
    movw T4, P4
    movw T6, P6
    rotate_right_1 T0, T1, T2, T3, T4, T5, T6, T7
    exclusive_or T1, T2, T3, T4, T5, T6, T7, T0, P2, P3, P4, P5, P6, P7, P0, P1
    rotate_right_1 T1, T2, T3, T4, T5, T6, T7, T0
    exclusive_or P0, P1, P2, P3, P4, P5, P6, P7, T1, T2, T3, T4, T5, T6, T7, T0
    store S3, P0, P1, P2, P3, P4, P5, P6, P7

    ; S4 ^= (S4 >>> 41) ^ (S4 >>> 7): (S4 >>> 1) >>> 40 and (S4 <<< 1) >>> 8. S3's registers and the eight of T hold
    ; two copies: R6 and R7 are still in memory.
    movw P0, Q0
    movw P2, Q2
    movw P4, Q4
    movw P6, Q6
    movw T0, Q0
    movw T2, Q2
    movw T4, Q4
    movw T6, Q6
    rotate_right_1 P0, P1, P2, P3, P4, P5, P6, P7
    exclusive_or Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7, P5, P6, P7, P0, P1, P2, P3, P4
    rotate_left_1 T0, T1, T2, T3, T4, T5, T6, T7
    exclusive_or Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7, T1, T2, T3, T4, T5, T6, T7, T0
    store S4, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7

    ; S2 ^= (S2 >>> 1) ^ (S2 >>> 6), the latter (S2 <<< 2) >>> 8
    clr r0
    ldd R6, Y + S2 + 6
    ldd R7, Y + S2 + 7
    movw P0, R0
    movw P2, R2
    movw P4, R4
    movw P6, R6
    movw Q0, R0
    movw Q2, R2
    movw Q4, R4
    movw Q6, R6
    rotate_right_1 P0, P1, P2, P3, P4, P5, P6, P7
    exclusive_or R0, R1, R2, R3, R4, R5, R6, R7, P0, P1, P2, P3, P4, P5, P6, P7
    rotate_left_1_with r0, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7
    rotate_left_1_with r0, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7
    exclusive_or R0, R1, R2, R3, R4, R5, R6, R7, Q1, Q2, Q3, Q4, Q5, Q6, Q7, Q0
    std Y + S2 + 6, R6
    std Y + S2 + 7, R7

    ; S0 ^= (S0 >>> 19) ^ (S0 >>> 28), which is (S0 ^ (S0 >>> 9)) >>> 19; the last 3 bits by multiplication
    load S0, P0, P1, P2, P3, P4, P5, P6, P7
    movw Q0, P0
    movw Q2, P2
    movw Q4, P4
    movw Q6, P6
    rotate_right_1 Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7
    exclusive_or Q1, Q2, Q3, Q4, Q5, Q6, Q7, Q0, P0, P1, P2, P3, P4, P5, P6, P7
    ldi r26, 1 << (8 - 3)
    add_rotated_19 Q1, P5, P6   ; byte 0 is in Q1, and so on
    add_rotated_19 Q2, P6, P7
    add_rotated_19 Q3, P7, P0
    add_rotated_19 Q4, P0, P1
    add_rotated_19 Q5, P1, P2
    add_rotated_19 Q6, P2, P3
    add_rotated_19 Q7, P3, P4
    add_rotated_19 Q0, P4, P5

    ; S1 ^= (S1 >>> 61) ^ (S1 >>> 39), which is ((S1 <<< 2) ^ (S1 <<< 24)) <<< 1
    load S1, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7
    movw T0, Q0
    movw T2, Q2
    movw T4, Q4
    movw T6, Q6
    rotate_left_1 T0, T1, T2, T3, T4, T5, T6, T7
    rotate_left_1 T0, T1, T2, T3, T4, T5, T6, T7
    exclusive_or T0, T1, T2, T3, T4, T5, T6, T7, Q5, Q6, Q7, Q0, Q1, Q2, Q3, Q4
    rotate_left_1 T0, T1, T2, T3, T4, T5, T6, T7
    exclusive_or Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7, T0, T1, T2, T3, T4, T5, T6, T7

    pop_registers r26
    cpi r26, LAST_CONSTANT - CONSTANT_STEP
    breq .Ldone
    rjmp .Lround
.Ldone:
    ret
    .cfi_endproc
.size tatu_internal_ascon_rounds, . - tatu_internal_ascon_rounds

.section .text.tatu_internal_ascon_load, "ax", @progbits
.global tatu_internal_ascon_load
.hidden tatu_internal_ascon_load
.type tatu_internal_ascon_load, @function

; Into the layout, from the state at r25:r24.
tatu_internal_ascon_load:
    .cfi_startproc
    movw r28, r24
    load S0, P0, P1, P2, P3, P4, P5, P6, P7
    load S1, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7
    load_six S2, R0, R1, R2, R3, R4, R5
    ret
    .cfi_endproc
.size tatu_internal_ascon_load, . - tatu_internal_ascon_load

.section .text.tatu_internal_ascon_store, "ax", @progbits
.global tatu_internal_ascon_store
.hidden tatu_internal_ascon_store
.type tatu_internal_ascon_store, @function

; Out of the layout.
tatu_internal_ascon_store:
    .cfi_startproc
    store S0, P0, P1, P2, P3, P4, P5, P6, P7
    store S1, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7
    store_six S2, R0, R1, R2, R3, R4, R5
    ret
    .cfi_endproc
.size tatu_internal_ascon_store, . - tatu_internal_ascon_store

.section .text.tatu_internal_ascon_permute, "ax", @progbits
.global tatu_internal_ascon_permute
.hidden tatu_internal_ascon_permute
.type tatu_internal_ascon_permute, @function

; void tatu_internal_ascon_permute(uint8_t state[40] (r25:r24), uint8_t first_constant (r22))
tatu_internal_ascon_permute:
    .cfi_startproc
    save_registers
    mov r26, r22
    call tatu_internal_ascon_load
    call tatu_internal_ascon_rounds
    call tatu_internal_ascon_store
    restore_registers
    ret
    .cfi_endproc
.size tatu_internal_ascon_permute, . - tatu_internal_ascon_permute

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
