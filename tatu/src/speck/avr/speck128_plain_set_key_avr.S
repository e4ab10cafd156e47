/* tatu_speck128_128_set_key, tatu_speck128_192_set_key, tatu_speck128_256_set_key for AVR. MIT licence.
 *
 * A step of the schedule is a round with the step's number for a key (the paper, section 4.2): 8 to add, 2 for the
 * number, 27 to rotate k, 8 to add l to k, 16 to store k. All words stay in registers; the rotation of l by 8 is done
 * for two steps at once, by MOVW. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "../../common/assembly_avr.h"
#include "speck128.inc"

; k is in y, l[step] in x.
#define step r28

; One step of the schedule; Z is where k goes.
.macro expand a0, a1, a2, a3, a4, a5, a6, a7
    add_y_to_x \a0, \a1, \a2, \a3, \a4, \a5, \a6, \a7
    eor \a1, step
    inc step
    rotate_y_left_3
    xor_x_to_y \a1, \a2, \a3, \a4, \a5, \a6, \a7, \a0
    store_k
.endm

.macro store_k
    st Z+, y0
    st Z+, y1
    st Z+, y2
    st Z+, y3
    st Z+, y4
    st Z+, y5
    st Z+, y6
    st Z+, y7
.endm

; Back from the third placement to the first. The parameters are the low halves of pairs.
.macro move_back a0, a2, a4, a6
    movw r0, \a0
    movw \a0, \a2
    movw \a2, \a4
    movw \a4, \a6
    movw \a6, r0
    clr r1
.endm

.macro load_k
    ld y0, Z
    ldd y1, Z+1
    ldd y2, Z+2
    ldd y3, Z+3
    ldd y4, Z+4
    ldd y5, Z+5
    ldd y6, Z+6
    ldd y7, Z+7
.endm

    .section .text.tatu_speck128_128_set_key,"ax",@progbits
    .global tatu_speck128_128_set_key
    .type tatu_speck128_128_set_key, @function
tatu_speck128_128_set_key:
    .cfi_startproc
    .irp byte, step, x0, x1, x2, x3, x4, x5
    push_registers \byte
    .endr
    movw r30, r22
    movw r26, r24
    load_k
    ; 31 steps are an odd number: the first is the second of a pair, and finds l in the second placement.
    ldd x1, Z+8
    ldd x2, Z+9
    ldd x3, Z+10
    ldd x4, Z+11
    ldd x5, Z+12
    ldd x0, Z+15
    ldd r0, Z+13
    ldd r1, Z+14
    movw r30, r26
    movw x6, r0
    clr r1
    store_k
    clr step
    rjmp 2f
1:
    move_back x0, x2, x4, x6
    expand x0, x1, x2, x3, x4, x5, x6, x7
2:
    expand x1, x2, x3, x4, x5, x6, x7, x0
    cpi step, 31
    breq 3f
    rjmp 1b
3:
    .irp byte, x5, x4, x3, x2, x1, x0, step
    pop_registers \byte
    .endr
    wipe_registers
    ret
    .cfi_endproc
    .size tatu_speck128_128_set_key, . - tatu_speck128_128_set_key

; l[step + 1] of the longer schedules.
#define z0 r10
#define z1 r11
#define z2 r8
#define z3 r9
#define z4 r6
#define z5 r7
#define z6 r4
#define z7 r5

    .section .text.tatu_speck128_192_set_key,"ax",@progbits
    .global tatu_speck128_192_set_key
    .type tatu_speck128_192_set_key, @function
tatu_speck128_192_set_key:
    .cfi_startproc
    .irp byte, step, z6, z7, z4, z5, z2, z3, z0, z1, x0, x1, x2, x3, x4, x5
    push_registers \byte
    .endr
    movw r30, r22
    movw r26, r24
    load_k
    ldd x0, Z+8
    ldd x1, Z+9
    ldd x2, Z+10
    ldd x3, Z+11
    ldd x4, Z+12
    ldd x5, Z+13
    ldd r0, Z+14
    ldd r1, Z+15
    ldd z0, Z+16
    ldd z1, Z+17
    ldd z2, Z+18
    ldd z3, Z+19
    ldd z4, Z+20
    ldd z5, Z+21
    ldd z6, Z+22
    ldd z7, Z+23
    movw r30, r26
    movw x6, r0
    clr r1
    store_k
    clr step
1:
    expand x0, x1, x2, x3, x4, x5, x6, x7
    expand z0, z1, z2, z3, z4, z5, z6, z7
    expand x1, x2, x3, x4, x5, x6, x7, x0
    expand z1, z2, z3, z4, z5, z6, z7, z0
    sbrc step, 5
    rjmp 2f
    move_back x0, x2, x4, x6
    move_back z0, z2, z4, z6
    rjmp 1b
2:
    .irp byte, x5, x4, x3, x2, x1, x0, z1, z0, z3, z2, z5, z4, z7, z6, step
    pop_registers \byte
    .endr
    wipe_registers
    ret
    .cfi_endproc
    .size tatu_speck128_192_set_key, . - tatu_speck128_192_set_key

; The 256-bit key has one word more than fits: k, three words of l, a pointer, a counter and a zero are 36 bytes. So
; each word of l has three pairs of registers of its own, and its other pair visits `visitor` for the step that needs
; it. Between visits it is in the context, at places that the round keys have not reached yet.
;
; Six steps are written out, two for each word. A word's first step leaves it in the second placement: the visitor goes
; with bytes 7 and 0. After its second step bytes 0 and 1 go, and the three pairs and the visitor move up. The last of
; the 33 steps is the third of the six, so in the first three every place used must lie below round key h + 4, h being
; the number of steps done when the six begin. See docs/reference/kernels/speck.md.
#define visitor0 r26
#define visitor1 r27
; Numbers, so that a pair's other register is one more.
#define a1 2
#define a2 4
#define a3 6
#define b1 8
#define b2 10
#define b3 12
#define c1 14
#define c2 16
#define c3 28
#define counter r0

.macro load_visitor place
    ldd visitor0, Z+\place
    ldd visitor1, Z+\place+1
.endm

.macro store_visitor place
    std Z+\place, visitor0
    std Z+\place+1, visitor1
.endm

.macro store_k_at place
    std Z+\place, y0
    std Z+\place+1, y1
    std Z+\place+2, y2
    std Z+\place+3, y3
    std Z+\place+4, y4
    std Z+\place+5, y5
    std Z+\place+6, y6
    std Z+\place+7, y7
.endm

; As `expand`, without storing.
.macro expand_visited v0, v1, v2, v3, v4, v5, v6, v7
    add_y_to_x \v0, \v1, \v2, \v3, \v4, \v5, \v6, \v7
    eor \v1, counter
    inc counter
    rotate_y_left_3
    xor_x_to_y \v1, \v2, \v3, \v4, \v5, \v6, \v7, \v0
.endm

; The first of a word's two steps: bytes 0 and 1 visit. The parameters are the low halves of pairs.
.macro expand_first p1, p2, p3
    expand_visited visitor0, visitor1, \p1, \p1+1, \p2, \p2+1, \p3, \p3+1
.endm

; The second: bytes 7 and 0 visit.
.macro expand_second p1, p2, p3
    expand_visited visitor1, \p1, \p1+1, \p2, \p2+1, \p3, \p3+1, visitor0
.endm

; Bytes 0 and 1 out, the others up.
.macro store_first_pair place, p1, p2, p3
    std Z+\place, \p1
    std Z+\place+1, \p1+1
    movw \p1, \p2
    movw \p2, \p3
    movw \p3, visitor0
.endm

.macro load_pairs place, p1, p2, p3
    ldd \p1, Z+\place
    ldd \p1+1, Z+\place+1
    ldd \p2, Z+\place+2
    ldd \p2+1, Z+\place+3
    ldd \p3, Z+\place+4
    ldd \p3+1, Z+\place+5
.endm

    .section .text.tatu_speck128_256_set_key,"ax",@progbits
    .global tatu_speck128_256_set_key
    .type tatu_speck128_256_set_key, @function
tatu_speck128_256_set_key:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r30, r22
    movw r26, r24
    load_k
    load_pairs 10, a1, a2, a3
    load_pairs 18, b1, b2, b3
    load_pairs 26, c1, c2, c3
    adiw r26, 16
    ldd r0, Z+16
    st X+, r0
    ldd r0, Z+17
    st X+, r0
    adiw r26, 6
    ldd r0, Z+24
    st X+, r0
    ldd r0, Z+25
    st X, r0
    ldd r0, Z+8
    ldd r1, Z+9
    movw r30, r26
    sbiw r30, 25
    movw visitor0, r0
    clr counter
    clr r1
    store_k_at 0
    rjmp 2f
1:
    load_visitor 8
2:
    expand_first a1, a2, a3
    store_k_at 8
    store_visitor 26
    load_visitor 16
    expand_first b1, b2, b3
    store_k_at 16
    store_visitor 28
    load_visitor 24
    expand_first c1, c2, c3
    sbrc counter, 5
    rjmp 3f
    store_visitor 48
    ; Round key h + 3 takes the place where a's and b's pairs lie: b's goes on, a's is due.
    load_visitor 28
    store_visitor 40
    load_visitor 26
    store_k_at 24
    adiw r30, 24
    expand_second a1, a2, a3
    store_k_at 8
    store_first_pair 32, a1, a2, a3
    load_visitor 16
    expand_second b1, b2, b3
    store_k_at 16
    store_first_pair 40, b1, b2, b3
    load_visitor 24
    expand_second c1, c2, c3
    store_k_at 24
    store_first_pair 48, c1, c2, c3
    adiw r30, 24
    rjmp 1b
3:
    store_k_at 24
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    wipe_registers
    ret
    .cfi_endproc
    .size tatu_speck128_256_set_key, . - tatu_speck128_256_set_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
