/* Speck-128 on eight blocks at once for 32-bit Arm with NEON, Thumb-2 and A32 ("the paper", section 4.1). The
 * portable twins: speck128_encrypt.c, speck128_decrypt.c. How it is made: docs/reference/kernels/speck.md.
 *
 * NEON adds words of 64 bits. A register has a word of two blocks: y in q0, q2, q8, q10, x in q1, q3, q9, q11.
 * Turning by 8 bits is VTBL, which the Cortex-A8 issues beside additions. */
#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_EIGHT_BLOCKS_IN_NEON)

#include "../../common/assembly_arm.h"

    .fpu neon

/* The blocks at \from: y and x of two blocks each lie as y, x, y, x. */
.macro transfer how, address
    \how {d0-d3}, [\address]!
    \how {d4-d7}, [\address]!
    \how {d16-d19}, [\address]!
    \how {d20-d23}, [\address]
.endm

.macro exchange_words
    vswp d1, d2
    vswp d5, d6
    vswp d17, d18
    vswp d21, d22
.endm

.macro turn_8 low, high
    vtbl.8 \low, {\low}, d30
    vtbl.8 \high, {\high}, d30
.endm

/* The bytes' places after turning by 8 bits, in d30: r12 and lr. */
.macro begin low, high
    push {r4, lr}
    .cfi_adjust_cfa_offset 8
    saved_at 0, r4, lr
    movw r12, #(\low & 0xffff)
    movt r12, #(\low >> 16)
    movw lr, #(\high & 0xffff)
    movt lr, #(\high >> 16)
    vmov d30, r12, lr
    transfer vld1.8, r3
    exchange_words
.endm

.macro end
    exchange_words
    transfer vst1.8, r2
    pop {r4, pc}
.endm

/* void tatu_internal_speck128_encrypt_8_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t output[128], const
 * uint8_t input[128]) */
function tatu_internal_speck128_encrypt_8_blocks
    begin 0x04030201, 0x00070605
1:  vld1.8 {d28}, [r0]!
    turn_8 d2, d3
    turn_8 d6, d7
    vmov d29, d28
    vadd.i64 q1, q1, q0
    turn_8 d18, d19
    vshl.i64 q12, q0, #3
    vadd.i64 q3, q3, q2
    turn_8 d22, d23
    vshl.i64 q13, q2, #3
    veor q1, q1, q14
    vadd.i64 q9, q9, q8
    vsri.64 q12, q0, #61
    veor q3, q3, q14
    vadd.i64 q11, q11, q10
    vsri.64 q13, q2, #61
    veor q9, q9, q14
    veor q0, q12, q1
    vshl.i64 q12, q8, #3
    veor q11, q11, q14
    veor q2, q13, q3
    vshl.i64 q13, q10, #3
    vsri.64 q12, q8, #61
    vsri.64 q13, q10, #61
    subs r1, r1, #1
    veor q8, q12, q9
    veor q10, q13, q11
    bne 1b
    end
end_function tatu_internal_speck128_encrypt_8_blocks

/* void tatu_internal_speck128_decrypt_8_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t output[128], const
 * uint8_t input[128]) */
function tatu_internal_speck128_decrypt_8_blocks
    begin 0x02010007, 0x06050403
    mvn r4, #7
    add r0, r0, r1, lsl #3
    sub r0, r0, #8
1:  vld1.8 {d28}, [r0], r4
    veor q12, q0, q1
    veor q13, q2, q3
    vmov d29, d28
    vshr.u64 q0, q12, #3
    vshr.u64 q2, q13, #3
    veor q1, q1, q14
    veor q3, q3, q14
    vsli.64 q0, q12, #61
    vsli.64 q2, q13, #61
    veor q12, q8, q9
    veor q13, q10, q11
    vsub.i64 q1, q1, q0
    vsub.i64 q3, q3, q2
    vshr.u64 q8, q12, #3
    turn_8 d2, d3
    vshr.u64 q10, q13, #3
    veor q9, q9, q14
    veor q11, q11, q14
    turn_8 d6, d7
    vsli.64 q8, q12, #61
    vsli.64 q10, q13, #61
    subs r1, r1, #1
    vsub.i64 q9, q9, q8
    vsub.i64 q11, q11, q10
    turn_8 d18, d19
    turn_8 d22, d23
    bne 1b
    end
end_function tatu_internal_speck128_decrypt_8_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
