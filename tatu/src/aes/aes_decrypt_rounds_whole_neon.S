/* The rounds of AES decryption on eight blocks as planes, a whole plane in a register (aes_planes_neon.h). Called from
 * aes_decrypt_blocks_neon.c:
 *
 *   void tatu_internal_aes_decrypt_rounds(uint8x16_t state[8], const uint8x16_t *keys, size_t rounds, uint8x16_t work[12])
 *
 * `rounds` rounds of InvSubBytes, InvShiftRows, AddRoundKey, InvMixColumns, with eight planes of keys for each in the order of key_bits;
 * then InvSubBytes. `work` begins with the order of bytes for InvShiftRows; behind it lies what the registers do not hold.
 *
 * The gates are those of aes_circuit_neon.h. A search found the order of the instructions and the registers: instructions were moved at random
 * between what they need and what needs them, and left there if a model of the Cortex-A8 then counted fewer cycles (docs/kernels/aes-arm.md). */
#include "../common/assembly.h"

#if defined(TATU_INTERNAL_NEON) && !defined(__aarch64__) && !defined(__ARM_FEATURE_FMA)

#include "../common/assembly_arm.h"

function tatu_internal_aes_decrypt_rounds
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
1:  @ InvSubBytes, InvShiftRows, AddRoundKey, InvMixColumns
    veor q8, q6, q4
    veor q9, q1, q0
    veor q10, q7, q5
    veor q11, q4, q3
    vst1.64 {d16-d17}, [r3:128]
    veor q14, q8, q9
    veor q6, q7, q8
    veor q12, q7, q4
    veor q13, q2, q10
    vst1.64 {d28-d29}, [r12:128]
    veor q3, q14, q11
    vst1.64 {d12-d13}, [r4:128]
    veor q2, q5, q14
    vst1.64 {d24-d25}, [r6:128]
    veor q10, q0, q11
    veor q15, q12, q8
    vand q1, q12, q6
    veor q4, q8, q3
    vst1.64 {d20-d21}, [r5:128]
    veor q9, q6, q13
    vand q7, q8, q10
    veor q8, q6, q10
    vst1.64 {d8-d9}, [r8:128]
    veor q6, q10, q2
    vst1.64 {d18-d19}, [r10:128]
    veor q0, q12, q14
    vand q10, q4, q6
    veor q12, q4, q6
    vst1.64 {d12-d13}, [r7:128]
    veor q5, q13, q2
    vst1.64 {d0-d1}, [r11:128]
    veor q12, q12, q10
    veor q11, q14, q3
    veor q7, q12, q7
    vst1.64 {d10-d11}, [lr:128]
    veor q4, q11, q5
    vand q12, q15, q8
    vst1.64 {d14-d15}, [r9:128]
    veor q6, q11, q15
    vand q7, q0, q9
    vand q9, q14, q13
    vand q0, q3, q2
    veor q9, q9, q7
    veor q4, q4, q7
    vand q7, q11, q5
    veor q0, q0, q10
    veor q10, q12, q7
    veor q12, q5, q8
    veor q5, q15, q8
    veor q1, q4, q1
    vand q4, q6, q12
    veor q5, q9, q5
    veor q14, q3, q2
    veor q0, q0, q10
    veor q9, q5, q10
    veor q5, q4, q7
    vld1.64 {d8-d9}, [r9:128]
    veor q10, q0, q14
    veor q7, q4, q5
    vst1.64 {d24-d25}, [r9:128]
    veor q0, q1, q5
    vand q12, q9, q7
    vand q14, q7, q0
    veor q4, q0, q9
    veor q1, q10, q14
    veor q5, q9, q14
    vand q1, q1, q4
    veor q7, q7, q10
    veor q1, q9, q1
    veor q9, q4, q14
    veor q14, q7, q14
    vand q12, q7, q12
    vand q5, q5, q7
    vand q0, q0, q10
    veor q7, q12, q14
    veor q12, q10, q5
    vand q14, q4, q0
    vld1.64 {d10-d11}, [r6:128]
    vand q0, q12, q13
    vld1.64 {d8-d9}, [r12:128]
    vld1.64 {d26-d27}, [r1:128]!
    vand q10, q7, q5
    vst1.64 {d26-d27}, [r12:128]
    vand q5, q12, q4
    vld1.64 {d26-d27}, [r4:128]
    veor q4, q14, q9
    vand q13, q7, q13
    vst1.64 {d0-d1}, [r4:128]
    veor q9, q12, q7
    vld1.64 {d0-d1}, [r11:128]
    veor q14, q1, q4
    vand q0, q9, q0
    vst1.64 {d26-d27}, [r11:128]
    vld1.64 {d26-d27}, [r10:128]
    vand q3, q1, q3
    vand q9, q9, q13
    veor q12, q1, q12
    vld1.64 {d26-d27}, [r8:128]
    vand q1, q1, q2
    veor q2, q5, q0
    vst1.64 {d18-d19}, [r8:128]
    veor q7, q4, q7
    vld1.64 {d10-d11}, [r7:128]
    vand q13, q14, q13
    vld1.64 {d18-d19}, [r1:128]!
    vand q5, q14, q5
    vst1.64 {d18-d19}, [r10:128]
    vld1.64 {d18-d19}, [r1:128]!
    vand q8, q7, q8
    vld1.64 {d28-d29}, [r3:128]
    vand q11, q12, q11
    veor q0, q10, q0
    vst1.64 {d18-d19}, [r3:128]
    veor q10, q12, q7
    vld1.64 {d18-d19}, [r5:128]
    vand q7, q7, q15
    vand q14, q4, q14
    veor q3, q3, q13
    vand q4, q4, q9
    veor q15, q7, q11
    vld1.64 {d18-d19}, [lr:128]
    vand q9, q12, q9
    vand q12, q10, q6
    veor q2, q2, q15
    vld1.64 {d12-d13}, [r1:128]!
    veor q3, q3, q15
    vld1.64 {d30-d31}, [r9:128]
    veor q7, q12, q11
    veor q13, q14, q13
    vld1.64 {d24-d25}, [r8:128]
    vand q10, q10, q15
    vld1.64 {d22-d23}, [r11:128]
    veor q1, q1, q5
    vld1.64 {d28-d29}, [r1:128]!
    veor q4, q4, q5
    vld1.64 {d30-d31}, [r1:128]!
    veor q5, q8, q9
    vld1.64 {d16-d17}, [r4:128]
    veor q0, q0, q7
    veor q10, q10, q9
    veor q9, q8, q12
    veor q8, q13, q7
    vld1.64 {d14-d15}, [r0:128]
    veor q11, q11, q12
    vtbl.8 d26, {d4}, d14
    vtbl.8 d27, {d5}, d15
    veor q12, q4, q10
    veor q4, q1, q5
    veor q9, q9, q5
    veor q1, q12, q8
    veor q2, q9, q2
    vld1.64 {d10-d11}, [r1:128]!
    veor q9, q9, q8
    veor q13, q13, q15
    vtbl.8 d2, {d2}, d14
    vtbl.8 d3, {d3}, d15
    veor q15, q4, q8
    veor q8, q11, q10
    veor q3, q0, q3
    veor q11, q8, q12
    vext.8 q10, q13, q13, #8
    veor q8, q8, q0
    veor q4, q11, q3
    vtbl.8 d24, {d18}, d14
    vtbl.8 d25, {d19}, d15
    veor q11, q15, q11
    veor q9, q9, q4
    veor q0, q11, q2
    veor q14, q1, q14
    vtbl.8 d30, {d30}, d14
    vtbl.8 d31, {d31}, d15
    veor q8, q8, q0
    veor q2, q4, q2
    veor q12, q12, q5
    vtbl.8 d18, {d18}, d14
    vtbl.8 d19, {d19}, d15
    veor q10, q13, q10
    vld1.64 {d2-d3}, [r1:128]!
    veor q9, q9, q1
    vtbl.8 d16, {d16}, d14
    vtbl.8 d17, {d17}, d15
    vext.8 q4, q9, q9, #8
    vld1.64 {d10-d11}, [r12:128]
    veor q1, q9, q4
    veor q15, q15, q5
    vld1.64 {d8-d9}, [r3:128]
    veor q8, q8, q4
    vext.8 q3, q14, q14, #8
    veor q13, q13, q1
    vext.8 q5, q15, q15, #8
    veor q3, q14, q3
    vtbl.8 d22, {d22}, d14
    vtbl.8 d23, {d23}, d15
    veor q5, q15, q5
    veor q3, q3, q1
    veor q10, q10, q5
    vext.8 q0, q8, q8, #8
    veor q11, q11, q6
    vtbl.8 d4, {d4}, d14
    vtbl.8 d5, {d5}, d15
    veor q0, q8, q0
    veor q7, q1, q5
    veor q8, q8, q3
    veor q14, q14, q7
    vext.8 q4, q12, q12, #8
    veor q3, q0, q5
    veor q10, q11, q10
    vld1.64 {d0-d1}, [r10:128]
    veor q1, q12, q4
    veor q5, q2, q0
    vext.8 q6, q11, q11, #8
    veor q9, q9, q1
    vext.8 q4, q14, q14, #4
    veor q11, q11, q6
    veor q2, q5, q3
    veor q14, q14, q4
    vext.8 q0, q5, q5, #8
    veor q11, q11, q7
    vext.8 q3, q10, q10, #4
    veor q0, q5, q0
    veor q11, q12, q11
    vext.8 q6, q13, q13, #4
    veor q15, q15, q0
    veor q10, q10, q3
    vext.8 q1, q14, q14, #8
    veor q13, q13, q6
    veor q14, q3, q14
    vext.8 q5, q8, q8, #4
    veor q12, q4, q13
    veor d6, d28, d21
    veor d7, d29, d20
    vext.8 q14, q15, q15, #4
    veor q8, q8, q5
    vext.8 q4, q11, q11, #4
    veor q15, q15, q14
    veor q10, q5, q10
    vext.8 q0, q2, q2, #4
    veor q11, q11, q4
    veor q10, q10, q15
    vext.8 q7, q8, q8, #8
    veor q2, q2, q0
    veor q8, q4, q8
    vst1.64 {d6-d7}, [r10:128]
    veor q0, q0, q11
    vext.8 q3, q9, q9, #4
    veor q8, q8, q15
    veor q12, q12, q15
    vst1.64 {d26-d27}, [r3:128]
    veor q9, q9, q3
    veor q13, q3, q2
    vext.8 q5, q2, q2, #8
    veor d8, d16, d23
    veor d9, d17, d22
    vext.8 q2, q15, q15, #8
    veor q8, q14, q9
    veor q11, q6, q15
    vld1.64 {d28-d29}, [r3:128]
    veor q5, q0, q5
    veor q3, q10, q7
    veor q7, q8, q2
    veor d12, d26, d19
    veor d13, d27, d18
    vld1.64 {d4-d5}, [r10:128]
    veor d0, d22, d29
    veor d1, d23, d28
    veor q1, q12, q1
    subs r2, r2, #1
    bne 1b
    @ InvSubBytes
    veor q8, q6, q4
    veor q9, q1, q0
    veor q12, q7, q5
    veor q13, q8, q9
    veor q6, q7, q4
    veor q10, q7, q8
    veor q11, q4, q3
    veor q14, q2, q12
    vst1.64 {d12-d13}, [r3:128]
    veor q2, q6, q13
    vst1.64 {d20-d21}, [r4:128]
    veor q15, q0, q11
    veor q3, q13, q11
    vst1.64 {d28-d29}, [r7:128]
    veor q12, q5, q13
    vst1.64 {d4-d5}, [r5:128]
    veor q7, q10, q14
    vand q9, q6, q10
    veor q0, q14, q12
    veor q5, q10, q15
    vst1.64 {d14-d15}, [r6:128]
    vand q10, q2, q7
    veor q2, q13, q3
    vst1.64 {d0-d1}, [r8:128]
    veor q11, q6, q8
    vst1.64 {d10-d11}, [r12:128]
    veor q7, q2, q0
    vand q1, q13, q14
    vst1.64 {d4-d5}, [r9:128]
    veor q7, q7, q10
    vst1.64 {d22-d23}, [r10:128]
    vand q14, q2, q0
    veor q7, q7, q9
    veor q9, q0, q5
    veor q0, q2, q11
    veor q6, q8, q3
    vst1.64 {d18-d19}, [r11:128]
    veor q1, q1, q10
    veor q10, q11, q5
    vst1.64 {d0-d1}, [lr:128]
    vand q2, q11, q5
    vand q11, q0, q9
    veor q9, q15, q12
    vand q4, q3, q12
    vand q0, q6, q9
    veor q1, q1, q10
    veor q10, q2, q14
    veor q11, q11, q14
    veor q2, q1, q10
    veor q1, q4, q0
    veor q4, q6, q9
    veor q1, q1, q10
    vand q10, q8, q15
    veor q0, q4, q0
    veor q5, q3, q12
    veor q4, q0, q10
    veor q14, q7, q11
    veor q0, q4, q11
    veor q11, q1, q5
    vand q10, q0, q14
    veor q7, q14, q2
    vand q1, q14, q11
    veor q5, q11, q10
    veor q4, q2, q10
    vand q14, q7, q1
    vand q1, q5, q7
    veor q5, q0, q11
    veor q7, q7, q10
    vand q0, q2, q0
    veor q10, q5, q10
    veor q1, q2, q1
    vand q4, q4, q5
    vand q2, q5, q0
    veor q5, q14, q7
    veor q7, q2, q10
    veor q2, q1, q5
    vand q12, q1, q12
    veor q0, q11, q4
    vand q10, q2, q9
    vand q15, q5, q15
    vand q11, q0, q13
    vand q14, q1, q3
    veor q13, q5, q7
    veor q3, q12, q10
    veor q10, q15, q10
    vld1.64 {d24-d25}, [lr:128]
    vand q15, q5, q8
    vld1.64 {d10-d11}, [r12:128]
    veor q4, q1, q0
    vand q8, q13, q5
    vld1.64 {d10-d11}, [r10:128]
    veor q1, q4, q13
    vand q13, q13, q5
    vld1.64 {d10-d11}, [r11:128]
    vand q12, q1, q12
    vand q1, q1, q5
    vld1.64 {d10-d11}, [r7:128]
    veor q9, q0, q7
    vand q2, q2, q6
    vand q0, q0, q5
    vld1.64 {d12-d13}, [r9:128]
    vld1.64 {d10-d11}, [r8:128]
    vand q6, q4, q6
    vand q4, q4, q5
    veor q13, q13, q6
    veor q5, q1, q4
    veor q8, q8, q4
    vld1.64 {d2-d3}, [r6:128]
    vand q1, q9, q1
    veor q4, q3, q8
    vld1.64 {d6-d7}, [r4:128]
    veor q12, q12, q6
    vand q6, q7, q3
    veor q3, q0, q1
    vld1.64 {d0-d1}, [r5:128]
    veor q15, q15, q2
    vand q9, q9, q0
    vld1.64 {d0-d1}, [r3:128]
    veor q8, q3, q8
    veor q3, q6, q1
    vand q1, q7, q0
    veor q10, q10, q5
    veor q6, q3, q5
    veor q15, q15, q12
    veor q14, q14, q2
    veor q11, q11, q9
    veor q9, q1, q9
    veor q7, q4, q15
    veor q0, q11, q13
    veor q11, q14, q13
    veor q13, q9, q12
    veor q14, q6, q10
    veor q9, q8, q0
    veor q2, q7, q14
    veor q12, q13, q11
    veor q4, q8, q15
    veor q1, q10, q15
    veor q10, q14, q12
    veor q15, q6, q13
    veor q8, q2, q9
    veor q6, q4, q10
    veor q5, q10, q9
    veor q3, q15, q8
    pop {r0}
    vstmia r0, {d0-d15}
    vpop {d8-d15}
    pop {r4-r11, pc}
end_function tatu_internal_aes_decrypt_rounds

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
