/* The rounds of fix-sliced AES decryption for ARMv6-M. The algorithm and the layout of the state are in
 * <aes_fixsliced.h>. The C twin and what is around the rounds are in aes_fixsliced_decrypt.c.
 *
 *     void tatu_internal_aes_fixsliced_decrypt_rounds(uint32_t *planes, const uint32_t *round_key,
 *         const uint32_t *last_round_key);
 *
 * `round_key` is the last of the key schedule, from which they go down. The same as encryption, in the opposite
 * order. */
#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)

#include "../../common/assembly_arm.h"

#define SPILLED_WORDS 14
#include "fixsliced.inc"

/* \sum: \sum and what lies two rows below it, in odd turns or even ones. */
.macro opposite sum, odd
    movs r2, \sum
.if \odd
    movs r5, #20
    rors r2, r2, r5
    eors \sum, \sum, r2
    bics \sum, \sum, r7
    movs r2, \sum
    movs r5, #12
    rors r2, r2, r5
    orrs \sum, \sum, r2
.else
    movs r5, #16
    rors r2, r2, r5
    eors \sum, \sum, r2
.endif
.endm

/* Bit \i gets the opposite sum of bit \i - 2, and \more, what of bits 6 and 7 is reduced to it. */
.macro before_mix_bit i, odd, more
.if \i >= 2
    ldr r1, [sp, #SP_PLANES + 4 * (\i - 2)]
    opposite r1, \odd
    ldr r0, [sp, #SP_PLANES + 4 * \i]
    eors r0, r0, r1
.else
    ldr r0, [sp, #SP_PLANES + 4 * \i]
.endif
.ifnb \more
    eors r0, r0, \more
.endif
    str r0, [sp, #SP_PLANES + 4 * \i]
.endm

/* a becomes a + 4(a + c), after which MixColumns makes it InvMixColumns. r3, r4, r6: the sums of bits 6 and 7, and
 * their sum. */
.macro before_mix odd
.if \odd
    repeat_byte r7, 0xf0, r5
.endif
    ldr r3, [sp, #SP_PLANES + 24]
    opposite r3, \odd
    ldr r4, [sp, #SP_PLANES + 28]
    opposite r4, \odd
    movs r6, r3
    eors r6, r6, r4
    before_mix_bit 7, \odd
    before_mix_bit 6, \odd
    before_mix_bit 5, \odd, r4
    before_mix_bit 4, \odd, r6
    before_mix_bit 3, \odd, r3
    before_mix_bit 2, \odd, r4
    before_mix_bit 1, \odd, r6
    before_mix_bit 0, \odd, r3
.endm

.macro undo_round
    bl substitute
    movs r0, #32
    mov r1, key
    subs r1, r1, r0
    mov key, r1
    add_round_key
.endm

function tatu_internal_aes_fixsliced_decrypt_rounds
    begin_rounds
    mov r1, key
    subs r2, r1, r2 /* 320, 384 or 448 bytes of round keys: 384 end in turn 0, the others in turn 2 */
    lsls r2, r2, #25
    mov r9, r2
    add_round_key
    mov r2, r9
    cmp r2, #0
    bne in_turn_2
    b in_turn_0

in_turn_2:
    undo_round
    before_mix 1
    mix 1, 0xfc, 0
    undo_round
    ldr r0, [sp, #SP_END]
    cmp key, r0
    bne 1f
    b finished
1:  before_mix 0
    mix 0, 0xff, 0
in_turn_0:
    undo_round
    before_mix 1
    mix 3, 0xc0, 0
    undo_round
    before_mix 0
    mix 2, 0xf0, 0
    bl in_turn_2 /* too far for B */

finished:
    finish_rounds
    next_frame

/* InvSubBytes. The constant of the S-box is in the round keys. */
substitute:
    add r0, sp, #SP_PLANES
    ldmia r0, {r0-r7}
    mov r9, r5
    movs r5, r0
    eors r5, r5, r3      @ y19
    mov r10, r5
    movs r5, r3
    eors r5, r5, r4      @ y9
    eors r2, r2, r7      @ a0
    eors r0, r0, r5      @ y1
    mov r11, r5
    movs r5, r4
    eors r5, r5, r6      @ y5
    mov r12, r5
    movs r5, r1
    eors r5, r5, r0      @ y13
    eors r6, r6, r7      @ y8
    eors r7, r7, r4      @ y3
    str r1, [sp, #0]
    mov r1, r9
    eors r1, r1, r2      @ y0
    eors r4, r4, r6      @ y6
    str r0, [sp, #4]
    movs r0, r7
    ands r0, r0, r4      @ t3
    eors r3, r3, r4      @ y14
    str r3, [sp, #8]
    mov r3, r12
    eors r3, r3, r5      @ y2
    eors r2, r2, r3      @ y20
    str r5, [sp, #12]
    mov r5, r11
    eors r5, r5, r3      @ y4
    str r3, [sp, #16]
    movs r3, r4
    eors r3, r3, r1      @ y15
    str r4, [sp, #20]
    movs r4, r7
    eors r4, r4, r5      @ y12
    str r7, [sp, #24]
    movs r7, r4
    ands r7, r7, r3      @ t2
    eors r0, r0, r7      @ t4
    str r4, [sp, #28]
    movs r4, r5
    ands r4, r4, r1      @ t5
    eors r4, r4, r7      @ t6
    mov r7, r11
    eors r7, r7, r2      @ y11
    str r3, [sp, #32]
    mov r3, r10
    eors r3, r3, r6      @ y10
    str r1, [sp, #36]
    movs r1, r6
    ands r1, r1, r3      @ t15
    str r6, [sp, #40]
    movs r6, r3
    eors r6, r6, r7      @ y17
    str r3, [sp, #44]
    ldr r3, [sp, #8]
    ands r3, r3, r6      @ t13
    str r6, [sp, #48]
    mov r6, r11
    ands r6, r6, r7      @ t12
    eors r1, r1, r6      @ t16
    eors r4, r4, r1      @ t18
    str r7, [sp, #52]
    mov r7, r10
    eors r4, r4, r7      @ t22
    eors r3, r3, r6      @ t14
    mov r6, r12
    ldr r7, [sp, #4]
    ands r6, r6, r7      @ t8
    eors r0, r0, r3      @ t17
    eors r0, r0, r2      @ t21
    mov r2, r9
    mov r10, r4
    mov r4, r11
    eors r4, r4, r2      @ y18
    eors r2, r2, r5      @ y7
    eors r7, r7, r2      @ y16
    mov r9, r5
    ldr r5, [sp, #12]
    ands r5, r5, r7      @ t7
    eors r6, r6, r5      @ t9
    eors r6, r6, r3      @ t19
    ldr r3, [sp, #16]
    ands r3, r3, r2      @ t10
    eors r3, r3, r5      @ t11
    eors r3, r3, r1      @ t20
    ldr r1, [sp, #0]
    eors r1, r1, r2      @ y21
    eors r6, r6, r1      @ t23
    movs r1, r0
    ands r1, r1, r6      @ t26
    mov r5, r10
    eors r5, r5, r1      @ t31
    eors r3, r3, r4      @ t24
    movs r4, r6
    eors r4, r4, r3      @ t30
    eors r1, r1, r3      @ t27
    ands r5, r5, r4      @ t32
    eors r5, r5, r3      @ t33
    eors r6, r6, r5      @ t34
    movs r4, r1
    eors r4, r4, r5      @ t35
    ands r3, r3, r4      @ t36
    eors r6, r6, r3      @ t37
    eors r3, r3, r1      @ t38
    mov r4, r10
    eors r0, r0, r4      @ t25
    ands r1, r1, r0      @ t28
    eors r1, r1, r4      @ t29
    ands r3, r3, r1      @ t39
    eors r0, r0, r3      @ t40
    ldr r3, [sp, #4]
    ands r3, r3, r0      @ z4
    ands r2, r2, r1      @ z5
    movs r4, r1
    eors r4, r4, r0      @ t43
    mov r10, r2
    ldr r2, [sp, #12]
    ands r2, r2, r4      @ z12
    str r2, [sp, #0]
    mov r2, r9
    ands r2, r2, r5      @ z11
    ands r4, r4, r7      @ z3
    ldr r7, [sp, #16]
    ands r7, r7, r1      @ z14
    mov r9, r2
    movs r2, r4
    eors r2, r2, r3      @ b4
    eors r7, r7, r2      @ b8
    str r4, [sp, #4]
    ldr r4, [sp, #24]
    ands r4, r4, r6      @ z10
    eors r1, r1, r5      @ t42
    str r2, [sp, #12]
    mov r2, r12
    ands r2, r2, r0      @ z13
    mov r12, r2
    ldr r2, [sp, #36]
    ands r2, r2, r5      @ z2
    eors r5, r5, r6      @ t44
    eors r4, r4, r2      @ b5
    eors r0, r0, r6      @ t41
    str r2, [sp, #16]
    ldr r2, [sp, #44]
    ands r2, r2, r0      @ z8
    eors r7, r7, r2      @ b9
    str r2, [sp, #24]
    ldr r2, [sp, #20]
    ands r6, r6, r2      @ z1
    ldr r2, [sp, #32]
    ands r2, r2, r5      @ z0
    eors r3, r3, r2      @ b10
    str r2, [sp, #20]
    mov r2, r10
    eors r2, r2, r4      @ b14
    eors r4, r4, r7      @ b11
    ldr r7, [sp, #28]
    ands r5, r5, r7      @ z9
    eors r2, r2, r3      @ b18
    ldr r7, [sp, #52]
    ands r7, r7, r1      @ z6
    eors r4, r4, r6      @ b13
    eors r6, r6, r3      @ b21
    mov r3, r11
    ands r3, r3, r1      @ z15
    eors r7, r7, r3      @ b0
    eors r1, r1, r0      @ t45
    mov r11, r6
    ldr r6, [sp, #40]
    ands r0, r0, r6      @ z17
    eors r5, r5, r0      @ b7
    mov r6, r9
    eors r3, r3, r6      @ b20
    eors r3, r3, r5      @ o0
    mov r9, r3
    mov r3, r12
    eors r3, r3, r7      @ b1
    eors r7, r7, r6      @ b15
    eors r5, r5, r4      @ b24
    eors r4, r4, r7      @ b17
    ldr r7, [sp, #48]
    ands r7, r7, r1      @ z7
    eors r0, r0, r7      @ b16
    eors r6, r6, r0      @ b19
    eors r5, r5, r3      @ o6
    ldr r0, [sp, #0]
    eors r3, r3, r0      @ b2
    eors r0, r0, r4      @ b25
    eors r2, r2, r6      @ b26
    ldr r4, [sp, #8]
    ands r1, r1, r4      @ z16
    eors r2, r2, r3      @ o3
    eors r3, r3, r1      @ b3
    ldr r4, [sp, #12]
    eors r4, r4, r3      @ b22
    ldr r6, [sp, #24]
    eors r6, r6, r3      @ b6
    ldr r3, [sp, #16]
    eors r3, r3, r6      @ b23
    eors r1, r1, r0      @ o5
    mov r0, r10
    eors r0, r0, r6      @ b12
    eors r7, r7, r4      @ o1
    mov r4, r11
    eors r4, r4, r0      @ o2
    ldr r6, [sp, #20]
    eors r6, r6, r3      @ o4
    ldr r3, [sp, #4]
    eors r3, r3, r0      @ o7
    mov r0, r9
    str r0, [sp, #SP_PLANES + 0]
    str r7, [sp, #SP_PLANES + 4]
    str r4, [sp, #SP_PLANES + 8]
    str r2, [sp, #SP_PLANES + 12]
    str r6, [sp, #SP_PLANES + 16]
    str r1, [sp, #SP_PLANES + 20]
    str r5, [sp, #SP_PLANES + 24]
    str r3, [sp, #SP_PLANES + 28]
    bx lr
end_function tatu_internal_aes_fixsliced_decrypt_rounds

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
