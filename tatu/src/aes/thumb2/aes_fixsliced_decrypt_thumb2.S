/* Fix-sliced AES decryption in Thumb-2, for Cortex-M3 and larger. The algorithm and the layout of the state are in
 * <aes_fixsliced.h>. The C twin is aes_fixsliced_decrypt.c.
 *
 *     void tatu_internal_aes_fixsliced_decrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const
 *     uint8_t *input,
 *                                              size_t blocks);
 *
 * The same as encryption, in the opposite order. */
#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define SPILLED_WORDS 11
#define p0 r2
#define p1 r3
#define p2 r4
#define p3 r8
#define p4 r9
#define p5 r5
#define p6 r6
#define p7 r7
#define t0 r0
#define t1 r1
#define t2 r10
#define t3 r11
#define t4 r12
#define t5 lr

#include "fixsliced.inc"

/* \target gets 4(a + c) of two bits below, \p: what is below that is once more the same. */
.macro add_opposite target, p, odd
.if \odd
    eor t3, \p, \p, ror #20
    and t3, t3, #0x0f0f0f0f
    eor \target, \target, t3
    eor \target, \target, t3, ror #12
.else
    eor \target, \target, \p
    eor \target, \target, \p, ror #16
.endif
.endm

.macro opposite sum, p, odd
.if \odd
    eor \sum, \p, \p, ror #20
    and \sum, \sum, #0x0f0f0f0f
    orr \sum, \sum, \sum, ror #12
.else
    eor \sum, \p, \p, ror #16
.endif
.endm

/* a becomes a + 4(a + c), after which MixColumns makes it InvMixColumns. */
.macro before_mix odd
    opposite t0, p6, \odd
    opposite t1, p7, \odd
    eor t2, t0, t1
    add_opposite p7, p5, \odd
    add_opposite p6, p4, \odd
    add_opposite p5, p3, \odd
    eor p5, p5, t1
    add_opposite p4, p2, \odd
    eor p4, p4, t2
    add_opposite p3, p1, \odd
    eor p3, p3, t0
    add_opposite p2, p0, \odd
    eor p2, p2, t1
    eor p1, p1, t2
    eor p0, p0, t0
.endm

function tatu_internal_aes_fixsliced_decrypt
    begin_blocks SP_END, SP_BEGIN, nothing

next_blocks:
    ldr t0, [sp, #SP_INPUT]
    read_blocks
    ldr t0, [sp, #SP_TURN]
    cmp t0, #0
    beq not_turned
    turn_twice
not_turned:
    transpose
    ldr t0, [sp, #SP_BEGIN]
    str t0, [sp, #SP_KEY]
    add_round_key
    ldr t0, [sp, #SP_TURN]
    cmp t0, #0
    beq in_turn_0

in_turn_2:
    bl round
    before_mix 1
    mix_turn_1
    bl round
    ldr t0, [sp, #SP_KEY]
    ldr t1, [sp, #SP_END]
    cmp t0, t1
    beq finished
    before_mix 0
    mix_turn_0
in_turn_0:
    bl round
    before_mix 1
    mix_turn_3
    bl round
    before_mix 0
    mix_turn_2
    b in_turn_2

finished:
    transpose
    write_blocks next_blocks
    wipe_spilled
nothing:
    add sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
    next_frame

/* InvSubBytes and AddRoundKey. The constant of the S-box is in the round keys. */
    .align 2
round:
    str lr, [sp, #SP_RETURN]
    .cfi_rel_offset lr, SP_RETURN
    eor r0, r9, r6      @ y5
    eors r6, r6, r7     @ y8
    eor r1, r8, r9      @ y9
    eor r10, r2, r1     @ y1
    str r10, [sp, #4]
    eor lr, r3, r10     @ y13
    eor r11, lr, r0     @ y2
    eor r2, r2, r8      @ y19
    str r2, [sp, #16]
    and r12, r0, r10    @ t8
    str r0, [sp, #0]
    eor r0, r1, r11     @ y4
    eors r0, r0, r5     @ y7
    str r0, [sp, #20]
    eors r3, r3, r0     @ y21
    eors r4, r4, r7     @ a0
    eor r10, r10, r0    @ y16
    str r6, [sp, #24]
    str lr, [sp, #8]
    and lr, lr, r10     @ t7
    str r10, [sp, #12]
    eor r10, r11, r4    @ y20
    eors r4, r4, r5     @ y0
    and r0, r11, r0     @ t10
    eor r0, r0, lr      @ t11
    eor r12, r12, lr    @ t9
    eor lr, r9, r6      @ y6
    eors r5, r5, r1     @ y18
    eor r8, r8, lr      @ y14
    eor r9, r9, r7      @ y3
    eor r7, r1, r10     @ y11
    str r7, [sp, #32]
    eors r2, r2, r6     @ y10
    ands r6, r6, r2     @ t15
    str r2, [sp, #28]
    eors r2, r2, r7     @ y17
    str r8, [sp, #36]
    and r8, r8, r2      @ t13
    ands r7, r7, r1     @ t12
    eors r6, r6, r7     @ t16
    eor r7, r8, r7      @ t14
    eor r8, r1, r11     @ y4
    eor r12, r12, r7    @ t19
    eor r12, r12, r3    @ t23
    eors r0, r0, r6     @ t20
    eors r0, r0, r5     @ t24
    and r3, r9, lr      @ t3
    str r2, [sp, #40]
    eor r2, r9, r8      @ y12
    eor r5, lr, r4      @ y15
    ands r5, r5, r2     @ t2
    eors r3, r3, r5     @ t4
    eors r7, r7, r3     @ t17
    and r3, r8, r4      @ t5
    eors r3, r3, r5     @ t6
    eor r10, r7, r10    @ t21
    eors r6, r6, r3     @ t18
    ldr r3, [sp, #16]
    eors r3, r3, r6     @ t22
    eor r6, r12, r0     @ t30
    and r7, r10, r12    @ t26
    eor r5, r3, r7      @ t31
    eors r7, r7, r0     @ t27
    ands r5, r5, r6     @ t32
    eors r5, r5, r0     @ t33
    eor r6, r7, r5      @ t35
    eor r12, r12, r5    @ t34
    ands r0, r0, r6     @ t36
    eor r12, r0, r12    @ t37
    eors r0, r0, r7     @ t38
    and r9, r12, r9     @ z10
    eor r10, r10, r3    @ t25
    and r6, r10, r7     @ t28
    eors r3, r3, r6     @ t29
    ands r0, r0, r3     @ t39
    eor r0, r10, r0     @ t40
    eor r10, lr, r4     @ y15
    eor r7, r5, r12     @ t44
    and r10, r7, r10    @ z0
    ands r2, r2, r7     @ z9
    ands r4, r4, r5     @ z2
    eor r9, r4, r9      @ b5
    eor r7, r0, r12     @ t41
    and lr, r12, lr     @ z1
    str r4, [sp, #16]
    ldr r4, [sp, #24]
    ldr r12, [sp, #32]
    eor r6, r3, r5      @ t42
    ands r1, r1, r6     @ z15
    and r12, r6, r12    @ z6
    eor r12, r12, r1    @ b0
    and r8, r5, r8      @ z11
    eors r6, r6, r7     @ t45
    ands r4, r4, r7     @ z17
    eor r1, r8, r1      @ b20
    eors r2, r2, r4     @ b7
    eors r1, r1, r2     @ o0
    str r1, [sp, #32]
    ldr r1, [sp, #40]
    ldr r5, [sp, #0]
    ands r5, r5, r0     @ z13
    str r6, [sp, #24]
    ands r1, r1, r6     @ z7
    ldr r6, [sp, #4]
    eors r4, r4, r1     @ b16
    str r1, [sp, #40]
    eor r1, r3, r0      @ t43
    ands r0, r0, r6     @ z4
    eor r6, r8, r12     @ b15
    eor r8, r8, r4      @ b19
    and r11, r3, r11    @ z14
    ldr r4, [sp, #28]
    ands r4, r4, r7     @ z8
    eor r12, r5, r12    @ b1
    ldr r5, [sp, #8]
    ldr r7, [sp, #12]
    ands r7, r7, r1     @ z3
    ands r5, r5, r1     @ z12
    ldr r1, [sp, #20]
    ands r1, r1, r3     @ z5
    eor r3, r7, r0      @ b4
    eor r0, r10, r0     @ b10
    eor r11, r11, r3    @ b8
    eor r11, r4, r11    @ b9
    eor r11, r9, r11    @ b11
    eor r11, lr, r11    @ b13
    eor lr, lr, r0      @ b21
    eor r9, r1, r9      @ b14
    eor r9, r0, r9      @ b18
    eor r2, r2, r11     @ b24
    eor r11, r11, r6    @ b17
    eor r11, r5, r11    @ b25
    eor r6, r12, r2     @ o6
    eor r12, r5, r12    @ b2
    ldr r2, [sp, #36]
    ldr r0, [sp, #24]
    ands r0, r0, r2     @ z16
    eor r2, r0, r12     @ b3
    eor r9, r9, r8      @ b26
    eor r8, r12, r9     @ o3
    eors r3, r3, r2     @ b22
    eors r2, r2, r4     @ b6
    eors r1, r1, r2     @ b12
    eors r7, r7, r1     @ o7
    eor r4, r1, lr      @ o2
    ldr r1, [sp, #40]
    ldr r12, [sp, #16]
    eor r2, r12, r2     @ b23
    eor r9, r10, r2     @ o4
    eors r3, r3, r1     @ o1
    eor r5, r0, r11     @ o5
    ldr r2, [sp, #32]
    ldr t0, [sp, #SP_KEY]
    sub t0, t0, #32
    str t0, [sp, #SP_KEY]
    add_round_key
    ldr pc, [sp, #SP_RETURN]
end_function tatu_internal_aes_fixsliced_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
