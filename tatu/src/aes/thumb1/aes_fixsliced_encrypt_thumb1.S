/* The rounds of fix-sliced AES encryption for ARMv6-M. The algorithm and the layout of the state are in
 * <aes_fixsliced.h>. The C twin and what is around the rounds are in aes_fixsliced_encrypt.c.
 *
 *     void tatu_internal_aes_fixsliced_encrypt_rounds(uint32_t *planes, const uint32_t *round_key,
 *         const uint32_t *last_round_key);
 *
 * How the cycles are spent: docs/reference/kernels/aes-arm.md. */
#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)

#include "../../common/assembly_arm.h"

#define SPILLED_WORDS 14
#include "fixsliced.inc"

.macro next_key
    movs r0, #32
    add key, r0
.endm

.macro leave_if_last to
    ldr r0, [sp, #SP_END]
    cmp key, r0
    bne 1f
    b \to
1:
.endm

function tatu_internal_aes_fixsliced_encrypt_rounds
    begin_rounds
    add_round_key
    next_key

next_rounds: /* the fourth time at the latest, one of the two exits is taken */
    bl substitute
    mix 1, 0xfc, 1
    next_key
    bl substitute
    leave_if_last last
    mix 2, 0xf0, 1
    next_key
    bl substitute
    mix 3, 0xc0, 1
    next_key
    bl substitute
    leave_if_last last
    mix 0, 0xff, 1
    next_key
    b next_rounds

last:
    add_round_key
    finish_rounds
    next_frame

/* SubBytes. The constant of the S-box is in the round keys. */
substitute:
    add r0, sp, #SP_PLANES
    ldmia r0, {r0-r7}
    mov r9, r0
    movs r0, r7
    eors r0, r0, r1      @ y13
    mov r10, r1
    movs r1, r4
    eors r1, r1, r2      @ y14
    mov r11, r7
    movs r7, r0
    eors r7, r7, r1      @ y12
    eors r5, r5, r6      @ t0
    eors r3, r3, r7      @ t1
    mov r12, r0
    mov r0, r9
    eors r0, r0, r5      @ y1
    str r1, [sp, #0]
    movs r1, r0
    eors r1, r1, r4      @ y4
    eors r6, r6, r3      @ y20
    eors r3, r3, r2      @ y15
    str r0, [sp, #4]
    mov r0, r11
    eors r2, r2, r0      @ y8
    mov r11, r2
    mov r2, r9
    eors r2, r2, r3      @ y6
    eors r4, r4, r0      @ y9
    str r2, [sp, #8]
    movs r2, r6
    eors r2, r2, r4      @ y11
    str r6, [sp, #12]
    mov r6, r9
    ands r6, r6, r1      @ t5
    str r1, [sp, #16]
    mov r1, r9
    eors r1, r1, r2      @ y7
    str r1, [sp, #20]
    movs r1, r7
    ands r1, r1, r3      @ t2
    str r7, [sp, #24]
    movs r7, r3
    eors r7, r7, r5      @ y10
    eors r6, r6, r1      @ t6
    eors r5, r5, r2      @ y16
    str r3, [sp, #28]
    movs r3, r4
    ands r3, r3, r2      @ t12
    str r4, [sp, #32]
    movs r4, r7
    eors r4, r4, r2      @ y17
    str r2, [sp, #36]
    ldr r2, [sp, #0]
    ands r2, r2, r4      @ t13
    str r4, [sp, #40]
    mov r4, r11
    ands r4, r4, r7      @ t15
    eors r4, r4, r3      @ t16
    eors r6, r6, r4      @ t18
    eors r2, r2, r3      @ t14
    mov r3, r11
    eors r3, r3, r7      @ y19
    eors r6, r6, r3      @ t22
    ldr r3, [sp, #4]
    eors r3, r3, r0      @ y2
    str r7, [sp, #44]
    ldr r7, [sp, #20]
    ands r7, r7, r3      @ t10
    str r3, [sp, #48]
    mov r3, r12
    ands r3, r3, r5      @ t7
    eors r7, r7, r3      @ t11
    eors r7, r7, r4      @ t20
    eors r0, r0, r5      @ y18
    mov r4, r12
    eors r4, r4, r5      @ y21
    eors r7, r7, r0      @ t24
    ldr r0, [sp, #4]
    str r5, [sp, #52]
    mov r5, r10
    eors r5, r5, r0      @ y5
    ands r0, r0, r5      @ t8
    mov r10, r6
    mov r6, r11
    eors r6, r6, r5      @ y3
    eors r0, r0, r3      @ t9
    ldr r3, [sp, #8]
    ands r3, r3, r6      @ t3
    eors r0, r0, r2      @ t19
    eors r0, r0, r4      @ t23
    eors r3, r3, r1      @ t4
    movs r1, r0
    eors r1, r1, r7      @ t30
    eors r3, r3, r2      @ t17
    ldr r2, [sp, #12]
    eors r3, r3, r2      @ t21
    movs r2, r3
    ands r2, r2, r0      @ t26
    mov r4, r10
    eors r4, r4, r2      @ t31
    ands r4, r4, r1      @ t32
    eors r2, r2, r7      @ t27
    eors r4, r4, r7      @ t33
    movs r1, r2
    eors r1, r1, r4      @ t35
    ands r7, r7, r1      @ t36
    eors r0, r0, r4      @ t34
    eors r0, r0, r7      @ t37
    mov r1, r10
    eors r3, r3, r1      @ t25
    eors r7, r7, r2      @ t38
    ands r2, r2, r3      @ t28
    eors r2, r2, r1      @ t29
    ands r6, r6, r0      @ z10
    ands r7, r7, r2      @ t39
    movs r1, r4
    eors r1, r1, r0      @ t44
    eors r3, r3, r7      @ t40
    ldr r7, [sp, #28]
    ands r7, r7, r1      @ z0
    ands r5, r5, r3      @ z13
    mov r10, r5
    ldr r5, [sp, #8]
    ands r5, r5, r0      @ z1
    eors r0, r0, r3      @ t41
    eors r5, r5, r7      @ t50
    str r6, [sp, #8]
    ldr r6, [sp, #24]
    ands r1, r1, r6      @ z9
    ldr r6, [sp, #4]
    ands r6, r6, r3      @ z4
    eors r3, r3, r2      @ t43
    str r1, [sp, #4]
    mov r1, r9
    ands r1, r1, r4      @ z2
    eors r7, r7, r1      @ t49
    ldr r1, [sp, #52]
    ands r1, r1, r3      @ z3
    eors r6, r6, r1      @ t51
    eors r5, r5, r6      @ t56
    mov r9, r5
    ldr r5, [sp, #20]
    ands r5, r5, r2      @ z5
    eors r1, r1, r5      @ t57
    eors r1, r1, r7      @ t59
    mov r5, r12
    ands r3, r3, r5      @ z12
    eors r7, r7, r3      @ t52
    mov r5, r11
    ands r5, r5, r0      @ z17
    mov r11, r3
    ldr r3, [sp, #44]
    ands r3, r3, r0      @ z8
    mov r12, r1
    ldr r1, [sp, #48]
    ands r1, r1, r2      @ z14
    eors r3, r3, r7      @ t54
    eors r2, r2, r4      @ t42
    eors r0, r0, r2      @ t45
    ldr r7, [sp, #40]
    ands r7, r7, r0      @ z7
    eors r7, r7, r6      @ t53
    ldr r6, [sp, #36]
    ands r6, r6, r2      @ z6
    eors r3, r3, r7      @ t55
    eors r6, r6, r7      @ t60
    ldr r7, [sp, #32]
    ands r2, r2, r7      @ z15
    ldr r7, [sp, #0]
    ands r0, r0, r7      @ z16
    eors r0, r0, r2      @ t46
    eors r2, r2, r6      @ t63
    eors r1, r1, r3      @ t61
    eors r2, r2, r1      @ t65
    eors r2, r2, r5      @ out5
    ldr r5, [sp, #16]
    ands r4, r4, r5      @ z11
    ldr r5, [sp, #8]
    eors r5, r5, r0      @ t47
    eors r4, r4, r5      @ t64
    eors r4, r4, r1      @ out2
    mov r1, r10
    eors r1, r1, r0      @ t58
    ldr r0, [sp, #4]
    eors r0, r0, r5      @ t48
    mov r5, r12
    eors r1, r1, r5      @ t62
    mov r7, r11
    eors r7, r7, r1      @ out0
    eors r3, r3, r1      @ out1
    mov r1, r9
    eors r1, r1, r0      @ s3
    eors r0, r0, r6      @ out7
    eors r6, r6, r1      @ out6
    eors r5, r5, r1      @ out3
    str r7, [sp, #SP_PLANES + 0]
    str r3, [sp, #SP_PLANES + 4]
    str r4, [sp, #SP_PLANES + 8]
    str r5, [sp, #SP_PLANES + 12]
    str r1, [sp, #SP_PLANES + 16]
    str r2, [sp, #SP_PLANES + 20]
    str r6, [sp, #SP_PLANES + 24]
    str r0, [sp, #SP_PLANES + 28]
    bx lr
end_function tatu_internal_aes_fixsliced_encrypt_rounds

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
