/* The rounds of AES encryption on eight blocks as planes, a whole plane in a register (aes_planes_neon.h). Called from
 * aes_encrypt_blocks_neon.c:
 *
 *   void tatu_internal_aes_encrypt_rounds(uint8x16_t state[8], const uint8x16_t *keys, size_t rounds, uint8x16_t work[12])
 *
 * `rounds` rounds of SubBytes, ShiftRows, MixColumns, AddRoundKey, with eight planes of keys for each in the order of key_bits;
 * then SubBytes. `work` begins with the order of bytes for ShiftRows; behind it lies what the registers do not hold.
 *
 * The gates are those of aes_circuit_neon.h. A search found the order of the instructions and the registers: instructions were moved at random
 * between what they need and what needs them, and left there if a model of the Cortex-A8 then counted fewer cycles (docs/kernels/aes-arm.md). */
#include "../common/assembly.h"

#if defined(TATU_INTERNAL_NEON) && !defined(__aarch64__) && !defined(__ARM_FEATURE_FMA)

#include "../common/assembly_arm.h"

function tatu_internal_aes_encrypt_rounds
    push {r4-r11, lr}
    vpush {d8-d15}
    vldmia r0, {d0-d15}
    push {r0}
    mov r0, r3
    add r3, r0, #16
    add r4, r0, #32
    add r5, r0, #48
    add r6, r0, #64
    add r7, r0, #80
    add r8, r0, #96
    add r9, r0, #112
    add r10, r0, #128
    add r11, r0, #144
    add r12, r0, #160
    add lr, r0, #176
1:  @ SubBytes, ShiftRows, MixColumns, AddRoundKey
    veor q10, q6, q5
    vst1.64 {d0-d1}, [r5:128]
    veor q12, q7, q1
    veor q13, q4, q2
    veor q11, q10, q0
    veor q14, q12, q13
    veor q8, q7, q4
    vst1.64 {d26-d27}, [r12:128]
    veor q15, q3, q14
    veor q4, q11, q4
    vst1.64 {d28-d29}, [r7:128]
    veor q9, q7, q2
    vst1.64 {d16-d17}, [r3:128]
    veor q5, q15, q6
    veor q6, q11, q1
    vst1.64 {d8-d9}, [r4:128]
    veor q2, q15, q2
    veor q3, q5, q8
    vand q15, q4, q0
    vst1.64 {d12-d13}, [r6:128]
    veor q4, q2, q0
    vst1.64 {d4-d5}, [r8:128]
    veor q0, q2, q10
    vst1.64 {d6-d7}, [lr:128]
    vand q1, q8, q3
    veor q8, q6, q9
    vst1.64 {d8-d9}, [r10:128]
    vand q6, q14, q2
    veor q14, q0, q3
    vand q2, q8, q4
    vst1.64 {d16-d17}, [r9:128]
    vand q4, q13, q14
    vst1.64 {d28-d29}, [r11:128]
    veor q10, q10, q3
    vand q14, q9, q0
    veor q8, q7, q10
    veor q14, q14, q1
    veor q1, q4, q1
    veor q4, q2, q6
    veor q2, q15, q6
    veor q6, q4, q5
    vld1.64 {d10-d11}, [r6:128]
    veor q4, q2, q14
    vand q2, q5, q11
    vld1.64 {d10-d11}, [r5:128]
    veor q7, q11, q7
    vand q15, q12, q10
    veor q13, q5, q3
    veor q2, q2, q15
    vld1.64 {d10-d11}, [r1:128]!
    vand q3, q7, q13
    veor q2, q2, q1
    veor q1, q6, q1
    veor q6, q12, q10
    veor q3, q3, q15
    veor q2, q2, q6
    veor q15, q3, q14
    veor q14, q0, q9
    vand q6, q1, q2
    veor q3, q15, q8
    veor q8, q4, q14
    veor q14, q2, q3
    veor q4, q1, q8
    veor q1, q8, q6
    veor q15, q3, q6
    vand q6, q1, q14
    vand q1, q4, q15
    veor q14, q6, q3
    veor q6, q15, q14
    vand q3, q3, q6
    veor q6, q2, q14
    veor q2, q15, q3
    veor q15, q1, q8
    veor q8, q3, q6
    vld1.64 {d6-d7}, [r10:128]
    veor q1, q15, q14
    vand q6, q8, q3
    vand q3, q15, q7
    vand q7, q15, q2
    vand q2, q15, q13
    veor q13, q4, q7
    vst1.64 {d6-d7}, [r10:128]
    vld1.64 {d6-d7}, [r8:128]
    veor q7, q14, q8
    veor q4, q13, q8
    veor q15, q15, q13
    vand q9, q4, q9
    vand q10, q15, q10
    vand q12, q15, q12
    vst1.64 {d18-d19}, [r8:128]
    vand q15, q13, q11
    vld1.64 {d18-d19}, [r6:128]
    vand q0, q4, q0
    vand q9, q13, q9
    veor q11, q1, q4
    vld1.64 {d26-d27}, [r7:128]
    vand q3, q7, q3
    vld1.64 {d8-d9}, [r3:128]
    vand q13, q7, q13
    vst1.64 {d10-d11}, [r3:128]
    vld1.64 {d10-d11}, [r1:128]!
    vand q4, q1, q4
    vld1.64 {d14-d15}, [r12:128]
    veor q2, q10, q2
    vst1.64 {d10-d11}, [r12:128]
    vand q7, q11, q7
    vld1.64 {d10-d11}, [r9:128]
    veor q10, q10, q15
    vand q8, q8, q5
    vld1.64 {d10-d11}, [r11:128]
    veor q7, q4, q7
    vand q11, q11, q5
    vld1.64 {d10-d11}, [r5:128]
    veor q9, q9, q7
    vand q5, q14, q5
    veor q15, q6, q3
    veor q5, q3, q5
    vld1.64 {d12-d13}, [lr:128]
    vand q1, q1, q6
    vld1.64 {d6-d7}, [r1:128]!
    veor q2, q5, q2
    vld1.64 {d12-d13}, [r4:128]
    vand q14, q14, q6
    vst1.64 {d6-d7}, [r4:128]
    veor q9, q9, q2
    vld1.64 {d6-d7}, [r10:128]
    veor q8, q8, q7
    veor q6, q12, q9
    veor q12, q12, q5
    veor q15, q10, q15
    vld1.64 {d10-d11}, [r0:128]
    veor q10, q11, q10
    vtbl.8 d14, {d12}, d10
    vtbl.8 d15, {d13}, d11
    veor q13, q13, q8
    veor q12, q0, q12
    veor q11, q1, q10
    veor q15, q13, q15
    vld1.64 {d2-d3}, [r1:128]!
    veor q10, q10, q12
    vext.8 q0, q7, q7, #4
    veor q12, q13, q11
    veor q9, q10, q9
    vtbl.8 d12, {d30}, d10
    vtbl.8 d13, {d31}, d11
    veor q8, q8, q14
    veor q13, q2, q15
    veor q4, q4, q11
    vtbl.8 d18, {d18}, d10
    vtbl.8 d19, {d19}, d11
    veor q10, q3, q10
    veor q11, q15, q11
    veor q3, q10, q4
    veor q7, q7, q0
    vtbl.8 d28, {d24}, d10
    vtbl.8 d29, {d25}, d11
    veor q8, q8, q10
    vext.8 q2, q6, q6, #4
    vld1.64 {d24-d25}, [r12:128]
    veor q6, q6, q2
    vext.8 q15, q9, q9, #4
    veor q12, q0, q12
    veor q0, q2, q1
    vext.8 q4, q14, q14, #4
    veor q9, q9, q15
    vtbl.8 d26, {d26}, d10
    vtbl.8 d27, {d27}, d11
    veor q14, q14, q4
    vld1.64 {d20-d21}, [r8:128]
    vld1.64 {d4-d5}, [r3:128]
    veor q10, q3, q10
    veor q3, q15, q2
    vtbl.8 d22, {d22}, d10
    vtbl.8 d23, {d23}, d11
    veor q15, q12, q14
    veor q2, q3, q7
    vtbl.8 d16, {d16}, d10
    vtbl.8 d17, {d17}, d11
    veor q12, q2, q14
    veor d4, d30, d15
    veor d5, d31, d14
    vext.8 q1, q13, q13, #4
    vld1.64 {d30-d31}, [r1:128]!
    veor q13, q13, q1
    vext.8 q3, q11, q11, #4
    veor q0, q0, q13
    vld1.64 {d14-d15}, [r1:128]!
    veor q11, q11, q3
    veor q4, q4, q7
    vtbl.8 d20, {d20}, d10
    vtbl.8 d21, {d21}, d11
    veor q15, q3, q15
    veor q5, q0, q14
    veor q0, q4, q11
    vext.8 q7, q8, q8, #4
    veor d8, d10, d13
    veor d9, d11, d12
    vld1.64 {d6-d7}, [r1:128]!
    veor q8, q8, q7
    veor q1, q1, q3
    vst1.64 {d4-d5}, [r3:128]
    vld1.64 {d4-d5}, [r4:128]
    veor q2, q7, q2
    vext.8 q5, q10, q10, #4
    veor q3, q1, q8
    vext.8 q7, q14, q14, #8
    veor q10, q10, q5
    veor q14, q3, q14
    vext.8 q1, q9, q9, #8
    veor q15, q15, q10
    veor q9, q2, q9
    vld1.64 {d6-d7}, [r1:128]!
    veor q1, q12, q1
    veor q3, q5, q3
    vext.8 q13, q13, q13, #8
    veor d4, d18, d17
    veor d5, d19, d16
    vext.8 q8, q10, q10, #8
    veor q12, q3, q6
    veor q7, q0, q7
    veor d12, d30, d23
    veor d13, d31, d22
    vld1.64 {d0-d1}, [r3:128]
    veor q5, q12, q8
    veor q3, q14, q13
    subs r2, r2, #1
    bne 1b
    @ SubBytes
    veor q8, q7, q1
    veor q9, q4, q2
    veor q10, q6, q5
    veor q11, q8, q9
    veor q14, q10, q0
    vst1.64 {d18-d19}, [r12:128]
    veor q12, q3, q11
    veor q13, q7, q2
    vst1.64 {d22-d23}, [r4:128]
    veor q15, q12, q2
    veor q2, q14, q1
    veor q3, q12, q6
    veor q12, q14, q4
    vst1.64 {d30-d31}, [r6:128]
    vst1.64 {d4-d5}, [r5:128]
    veor q5, q7, q4
    vand q6, q11, q15
    veor q11, q2, q13
    vst1.64 {d24-d25}, [r3:128]
    veor q2, q15, q0
    vst1.64 {d10-d11}, [r9:128]
    veor q1, q3, q5
    vand q4, q12, q0
    vst1.64 {d22-d23}, [r8:128]
    veor q12, q15, q10
    vst1.64 {d4-d5}, [r7:128]
    vand q15, q11, q2
    vst1.64 {d2-d3}, [r10:128]
    vand q2, q5, q1
    veor q5, q12, q1
    veor q15, q15, q6
    veor q4, q4, q6
    vst1.64 {d10-d11}, [r11:128]
    veor q6, q10, q1
    veor q3, q15, q3
    vand q15, q9, q5
    vand q5, q13, q12
    veor q11, q0, q1
    veor q10, q7, q6
    veor q15, q15, q2
    veor q2, q5, q2
    veor q5, q14, q7
    vld1.64 {d14-d15}, [r5:128]
    vand q1, q8, q6
    vand q9, q7, q14
    vand q7, q5, q11
    veor q9, q9, q1
    veor q1, q7, q1
    veor q9, q9, q15
    veor q7, q1, q2
    veor q1, q8, q6
    veor q3, q3, q15
    veor q15, q4, q2
    veor q2, q12, q13
    veor q4, q9, q1
    veor q1, q7, q10
    vand q9, q3, q4
    veor q7, q15, q2
    veor q10, q4, q1
    veor q2, q7, q9
    veor q15, q3, q7
    vand q3, q2, q10
    veor q2, q1, q9
    veor q10, q3, q1
    vand q9, q15, q2
    veor q3, q2, q10
    veor q7, q9, q7
    vand q9, q1, q3
    veor q1, q4, q10
    veor q3, q2, q9
    vand q2, q10, q0
    vand q4, q7, q3
    veor q0, q9, q1
    veor q3, q15, q4
    vand q5, q7, q5
    veor q15, q7, q3
    vand q4, q3, q14
    vand q6, q15, q6
    vand q14, q7, q11
    vand q11, q15, q8
    veor q15, q6, q4
    vld1.64 {d16-d17}, [r5:128]
    veor q1, q3, q0
    vld1.64 {d8-d9}, [r8:128]
    veor q9, q7, q10
    vst1.64 {d10-d11}, [r8:128]
    vand q13, q1, q13
    veor q7, q9, q1
    veor q5, q10, q0
    veor q6, q6, q14
    vand q1, q1, q12
    vld1.64 {d28-d29}, [r4:128]
    vand q3, q3, q8
    vld1.64 {d24-d25}, [r6:128]
    vld1.64 {d16-d17}, [r9:128]
    vand q14, q5, q14
    vand q5, q5, q12
    vst1.64 {d26-d27}, [r9:128]
    vld1.64 {d26-d27}, [r12:128]
    vand q8, q9, q8
    vld1.64 {d24-d25}, [r11:128]
    vand q13, q7, q13
    vand q7, q7, q12
    veor q12, q5, q2
    veor q13, q8, q13
    veor q2, q12, q6
    veor q6, q7, q15
    vld1.64 {d14-d15}, [r10:128]
    vand q4, q0, q4
    vand q7, q9, q7
    veor q3, q3, q13
    veor q9, q7, q6
    vld1.64 {d14-d15}, [r7:128]
    veor q12, q11, q12
    vand q0, q0, q7
    veor q7, q4, q13
    veor q13, q3, q2
    veor q4, q0, q5
    vld1.64 {d6-d7}, [r3:128]
    veor q12, q1, q12
    veor q0, q11, q13
    veor q11, q15, q4
    veor q15, q8, q9
    veor q8, q14, q7
    veor q14, q6, q12
    veor q4, q8, q11
    vld1.64 {d22-d23}, [r8:128]
    vand q10, q10, q3
    veor q12, q11, q14
    veor q3, q2, q4
    veor q11, q12, q15
    veor q15, q7, q10
    vld1.64 {d20-d21}, [r9:128]
    veor q6, q4, q9
    veor q7, q8, q9
    veor q5, q11, q10
    veor q1, q14, q13
    veor q2, q15, q12
    pop {r0}
    vstmia r0, {d0-d15}
    vpop {d8-d15}
    pop {r4-r11, pc}
end_function tatu_internal_aes_encrypt_rounds

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
