/* Fix-sliced AES encryption in Thumb-2, for Cortex-M3 and larger. The algorithm and the layout of the state are in
 * <aes_fixsliced.h>. The C twin is aes_fixsliced_encrypt.c.
 *
 *     void tatu_internal_aes_fixsliced_encrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const
 *     uint8_t *input,
 *                                              size_t blocks);
 *
 * The S-box is one piece of code for all rounds: with it and the longest MixColumns between two of its uses, no more
 * flash is read than an STM32F4 keeps cached (1 KB). How its order and its registers were found, and where the cycles
 * go: docs/reference/kernels/aes-arm.md. */
#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define SPILLED_WORDS 11
#define p0 r8
#define p1 r9
#define p2 r3
#define p3 r10
#define p4 r4
#define p5 r5
#define p6 r6
#define p7 r7
#define t0 r0
#define t1 r1
#define t2 r2
#define t3 r11
#define t4 r12
#define t5 lr

#include "fixsliced.inc"

function tatu_internal_aes_fixsliced_encrypt
    begin_blocks SP_BEGIN, SP_END, nothing

next_blocks:
    ldr t1, [sp, #SP_BEGIN]
    ldr t0, [sp, #SP_INPUT]
    str t1, [sp, #SP_KEY]
    read_blocks
    transpose

next_rounds: /* the fourth time at the latest, one of the two exits is taken */
    bl round
    mix_turn_1
    bl round
    ldr t0, [sp, #SP_KEY]
    ldr t1, [sp, #SP_END]
    cmp t0, t1
    beq last_round_key
    mix_turn_2
    bl round
    mix_turn_3
    bl round
    ldr t0, [sp, #SP_KEY]
    ldr t1, [sp, #SP_END]
    cmp t0, t1
    beq last_round_key
    mix_turn_0
    b next_rounds

last_round_key:
    add_round_key
    transpose
    ldr t0, [sp, #SP_TURN]
    cmp t0, #0
    beq not_turned
    turn_twice
not_turned:
    write_blocks next_blocks
    wipe_spilled
nothing:
    add sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
    next_frame

/* AddRoundKey and SubBytes. The constant of the S-box is in the round keys. */
    .align 2
round:
    ldr t0, [sp, #SP_KEY]
    str lr, [sp, #SP_RETURN]
    .cfi_rel_offset lr, SP_RETURN
    add_round_key
    str t0, [sp, #SP_KEY]
substitute:
    str r8, [sp, #20]
    eor lr, r4, r3      @ y14
    eor r12, r7, r9     @ y13
    eor r1, r12, lr     @ y12
    str r1, [sp, #0]
    eor r10, r10, r1    @ t1
    eor r0, r10, r3     @ y15
    eor r2, r7, r4      @ y9
    str r2, [sp, #12]
    eors r5, r5, r6     @ t0
    str r12, [sp, #4]
    eor r11, r5, r8     @ y1
    eor r4, r11, r4     @ y4
    eors r3, r3, r7     @ y8
    eor r10, r10, r6    @ y20
    ands r1, r1, r0     @ t2
    eor r6, r10, r2     @ y11
    str r6, [sp, #24]
    eor r12, r0, r8     @ y6
    str r0, [sp, #8]
    eors r0, r0, r5     @ y10
    str r4, [sp, #16]
    and r4, r4, r8      @ t5
    eor r8, r8, r6      @ y7
    str r3, [sp, #40]
    ands r2, r2, r6     @ t12
    eors r5, r5, r6     @ y16
    eors r6, r6, r0     @ y17
    str lr, [sp, #28]
    and lr, lr, r6      @ t13
    eor lr, lr, r2      @ t14
    str r6, [sp, #32]
    eors r4, r4, r1     @ t6
    str r0, [sp, #36]
    eor r6, r0, r3      @ y19
    ands r0, r0, r3     @ t15
    eor r9, r11, r9     @ y5
    eors r0, r0, r2     @ t16
    eor r2, r4, r0      @ t18
    eors r6, r6, r2     @ t22
    ldr r2, [sp, #4]
    eor r4, r9, r3      @ y3
    and r3, r4, r12     @ t3
    eors r1, r1, r3     @ t4
    and r3, r2, r5      @ t7
    eor r1, r1, lr      @ t17
    eor r10, r1, r10    @ t21
    and r1, r9, r11     @ t8
    eors r1, r1, r3     @ t9
    eor r1, r1, lr      @ t19
    eors r2, r2, r5     @ y21
    eors r1, r1, r2     @ t23
    eor lr, r11, r7     @ y2
    and r2, lr, r8      @ t10
    eors r3, r3, r2     @ t11
    and r2, r10, r1     @ t26
    eors r3, r3, r0     @ t20
    eors r7, r7, r5     @ y18
    eors r3, r3, r7     @ t24
    eor r7, r6, r2      @ t31
    eors r2, r2, r3     @ t27
    eor r10, r10, r6    @ t25
    eor r0, r1, r3      @ t30
    ands r0, r0, r7     @ t32
    eors r0, r0, r3     @ t33
    eor r7, r2, r0      @ t35
    ands r7, r7, r3     @ t36
    and r3, r10, r2     @ t28
    eors r6, r6, r3     @ t29
    eors r1, r1, r0     @ t34
    eors r2, r2, r7     @ t38
    eors r1, r1, r7     @ t37
    eor r3, r0, r1      @ t44
    ands r2, r2, r6     @ t39
    eor r2, r10, r2     @ t40
    eor r10, r2, r1     @ t41
    eor r7, r6, r2      @ t43
    ands r5, r5, r7     @ z3
    and r9, r2, r9      @ z13
    and r2, r2, r11     @ z4
    and r8, r6, r8      @ z5
    eor r11, r5, r8     @ t57
    eors r5, r5, r2     @ t51
    and r12, r1, r12    @ z1
    ands r4, r4, r1     @ z10
    ldr r1, [sp, #0]
    ldr r2, [sp, #8]
    ldr r8, [sp, #4]
    and r8, r7, r8      @ z12
    ands r2, r2, r3     @ z0
    eor r12, r12, r2    @ t50
    eor r12, r5, r12    @ t56
    ands r3, r3, r1     @ z9
    ldr r1, [sp, #16]
    ldr r7, [sp, #20]
    ands r7, r7, r0     @ z2
    eors r2, r2, r7     @ t49
    and lr, r6, lr      @ z14
    eors r6, r6, r0     @ t42
    eor r7, r6, r10     @ t45
    eor r11, r2, r11    @ t59
    ands r1, r1, r0     @ z11
    ldr r0, [sp, #32]
    ands r0, r0, r7     @ z7
    eors r0, r0, r5     @ t53
    ldr r5, [sp, #28]
    ands r7, r7, r5     @ z16
    ldr r5, [sp, #12]
    ands r5, r5, r6     @ z15
    eors r7, r7, r5     @ t46
    eor r9, r9, r7      @ t58
    eors r7, r7, r4     @ t47
    eors r1, r1, r7     @ t64
    eors r7, r7, r3     @ t48
    ldr r3, [sp, #40]
    ldr r4, [sp, #24]
    ands r6, r6, r4     @ z6
    eor r2, r8, r2      @ t52
    ldr r4, [sp, #36]
    eors r6, r6, r0     @ t60
    eors r5, r5, r6     @ t63
    and r4, r10, r4     @ z8
    and r10, r10, r3    @ z17
    eors r4, r4, r2     @ t54
    eors r0, r0, r4     @ t55
    eor lr, lr, r0      @ t61
    eor r3, r1, lr      @ out2
    eor r2, r9, r11     @ t62
    eor r5, lr, r5      @ t65
    eor r5, r5, r10     @ out5
    eor r4, r7, r12     @ s3
    eors r7, r7, r6     @ out7
    eors r6, r6, r4     @ out6
    eor r10, r11, r4    @ out3
    eor r9, r0, r2      @ out1
    eor r8, r8, r2      @ out0
    ldr pc, [sp, #SP_RETURN]
    .cfi_restore lr
substitute_without_key:
    str lr, [sp, #SP_RETURN]
    .cfi_rel_offset lr, SP_RETURN
    b substitute

/* For the key schedule, aes_fixsliced_expand_key.c: uint32_t tatu_internal_aes_fixsliced_substitute_word(uint32_t
 * word) */
    .global tatu_internal_aes_fixsliced_substitute_word
    .hidden tatu_internal_aes_fixsliced_substitute_word
    .type tatu_internal_aes_fixsliced_substitute_word, %function
    .thumb_func
    .align 2
    .cfi_endproc
tatu_internal_aes_fixsliced_substitute_word:
    .cfi_startproc
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    mov t1, #0x01010101
    and p7, t1, r0, lsr #7
    and p6, t1, r0, lsr #6
    and p5, t1, r0, lsr #5
    and p4, t1, r0, lsr #4
    and p3, t1, r0, lsr #3
    and p2, t1, r0, lsr #2
    and p1, t1, r0, lsr #1
    and p0, t1, r0
    bl substitute_without_key
    mov t1, #0x63636363
    eor p0, p0, t1
    eor p0, p0, p1, lsl #1
    eor p0, p0, p2, lsl #2
    eor p0, p0, p3, lsl #3
    eor p0, p0, p4, lsl #4
    eor p0, p0, p5, lsl #5
    eor p0, p0, p6, lsl #6
    eor t1, p0, p7, lsl #7
    wipe_spilled
    mov r0, t1
    add sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
end_function tatu_internal_aes_fixsliced_encrypt

/* For the key schedule: the planes of a round key in both blocks, lying as after \turn turns. `planes` may lie over
 * `columns`.
 *
 *     void tatu_internal_aes_fixsliced_slice(uint32_t *planes, const uint32_t *columns, unsigned turn,
 *         uint32_t constant); */
.macro turned_column out, row0, row1, row2, row3
    and \out, \row0, #0x000000ff
    and t5, \row1, #0x0000ff00
    orr \out, \out, t5
    and t5, \row2, #0x00ff0000
    orr \out, \out, t5
    and t5, \row3, #0xff000000
    orr \out, \out, t5
.endm

function tatu_internal_aes_fixsliced_slice
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    push {r0, r2}
    .cfi_adjust_cfa_offset 8
    mov t4, r3
    mov t3, r1
    ldr p0, [t3]
    ldr p2, [t3, #4]
    ldr p4, [t3, #8]
    ldr p6, [t3, #12]
    eor p0, p0, t4
    eor p2, p2, t4
    eor p4, p4, t4
    eor p6, p6, t4
    ldr t5, [sp, #4]
    cmp t5, #2
    blo turned_less
    exchange p0, p4, 0xff00ff00, 0
    exchange p2, p6, 0xff00ff00, 0
    ldr t5, [sp, #4]
turned_less:
    tst t5, #1
    beq turned
    turned_column p1, p0, p6, p4, p2
    turned_column p3, p2, p0, p6, p4
    turned_column p5, p4, p2, p0, p6
    turned_column p7, p6, p4, p2, p0
    mov p0, p1
    mov p2, p3
    mov p4, p5
    mov p6, p7
turned:
    mov p1, p0
    mov p3, p2
    mov p5, p4
    mov p7, p6
    transpose
    pop {t0, t1}
    .cfi_adjust_cfa_offset -8
    str p0, [t0]
    str p1, [t0, #4]
    str p2, [t0, #8]
    str p3, [t0, #12]
    str p4, [t0, #16]
    str p5, [t0, #20]
    str p6, [t0, #24]
    str p7, [t0, #28]
    pop {r4-r11, pc}
end_function tatu_internal_aes_fixsliced_slice

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
