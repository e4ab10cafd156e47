/* AES encryption of eight blocks as planes of bits (planes.h), for AArch32. aes_encrypt_blocks_neon.c calls it as
 *
 *   void tatu_internal_aes_encrypt_eight(struct tatu_internal_aes_planes *planes, size_t rounds_but_the_last, uint8_t
 *   *output, const uint8_t *input)
 *
 * The gates are those of circuit.h. The programs in tatu/search found the order of the instructions and the registers,
 * for a model of the Cortex-A8 (docs/reference/kernels/aes-arm.md). */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_EIGHT_BLOCKS_ASSEMBLY)

#include "planes.inc"

function tatu_internal_aes_encrypt_eight
    begin_rounds
1:  /* SubBytes, ShiftRows, MixColumns, AddRoundKey */
    veor q8, q7, q1
    veor q9, q4, q2
    veor q5, q6, q5
    veor q10, q8, q9
    veor q14, q5, q0
    veor q3, q3, q10
    veor q1, q14, q1
    vst1.64 {d20-d21}, [r5:128]
    veor q11, q3, q2
    veor q3, q3, q6
    vst1.64 {d18-d19}, [r11:128]
    veor q2, q7, q2
    vst1.64 {d2-d3}, [r7:128]
    veor q6, q11, q0
    veor q12, q1, q2
    veor q13, q14, q4
    vst1.64 {d4-d5}, [r9:128]
    vand q15, q12, q6
    vst1.64 {d12-d13}, [r6:128]
    vst1.64 {d24-d25}, [r3:128]
    vand q12, q13, q0
    veor q4, q7, q4
    vst1.64 {d26-d27}, [r4:128]
    vand q13, q10, q11
    veor q10, q3, q4
    veor q15, q15, q13
    vst1.64 {d8-d9}, [r8:128]
    vand q6, q1, q14
    vand q1, q4, q10
    vst1.64 {d20-d21}, [r12:128]
    veor q4, q5, q10
    veor q5, q11, q5
    veor q12, q12, q13
    veor q13, q5, q2
    veor q15, q15, q3
    vst1.64 {d10-d11}, [r10:128]
    vand q3, q2, q5
    veor q2, q5, q10
    veor q3, q3, q1
    vand q5, q9, q2
    veor q9, q0, q10
    veor q10, q8, q4
    veor q12, q12, q3
    veor q5, q5, q1
    vand q1, q8, q4
    veor q12, q12, q13
    veor q6, q6, q1
    veor q15, q15, q5
    veor q6, q6, q5
    veor q5, q14, q7
    veor q6, q6, q10
    vand q10, q5, q9
    vand q13, q15, q6
    veor q1, q10, q1
    veor q7, q7, q4
    veor q1, q1, q3
    veor q3, q12, q13
    veor q1, q1, q7
    veor q15, q15, q12
    veor q7, q6, q1
    veor q13, q1, q13
    vand q3, q3, q7
    vand q7, q15, q13
    veor q3, q3, q1
    veor q7, q7, q12
    veor q10, q13, q3
    vand q5, q7, q5
    vand q1, q1, q10
    vand q10, q3, q0
    veor q13, q13, q1
    veor q6, q6, q3
    vand q13, q7, q13
    veor q0, q7, q3
    veor q15, q15, q13
    veor q1, q1, q6
    veor q6, q7, q15
    vand q14, q15, q14
    veor q12, q3, q1
    vand q7, q7, q9
    vand q4, q6, q4
    veor q9, q15, q1
    veor q7, q4, q7
    veor q13, q0, q9
    vand q11, q12, q11
    veor q4, q4, q14
    vld1.64 {d28-d29}, [r7:128]
    veor q10, q11, q10
    vand q6, q6, q8
    vld1.64 {d16-d17}, [r11:128]
    veor q7, q10, q7
    vand q2, q13, q2
    vand q13, q13, q8
    vld1.64 {d16-d17}, [r8:128]
    vand q8, q0, q8
    vand q15, q15, q14
    vld1.64 {d28-d29}, [r6:128]
    veor q13, q8, q13
    vand q14, q1, q14
    veor q15, q15, q13
    veor q10, q6, q10
    veor q15, q15, q7
    veor q14, q14, q11
    vld1.64 {d22-d23}, [r10:128]
    vand q11, q9, q11
    veor q6, q6, q15
    veor q11, q11, q10
    vld1.64 {d20-d21}, [r3:128]
    vand q1, q1, q10
    vld1.64 {d20-d21}, [r0:128]
    veor q2, q2, q4
    vtbl.8 d12, {d12}, d20
    veor q1, q1, q13
    veor q11, q2, q11
    vtbl.8 d13, {d13}, d21
    veor q4, q4, q14
    vld1.64 {d26-d27}, [r12:128]
    veor q15, q11, q15
    vand q13, q0, q13
    vld1.64 {d0-d1}, [r4:128]
    vand q3, q3, q0
    vld1.64 {d0-d1}, [r9:128]
    vand q9, q9, q0
    vtbl.8 d30, {d30}, d20
    veor q3, q1, q3
    veor q5, q5, q11
    vtbl.8 d31, {d31}, d21
    veor q13, q13, q2
    veor q3, q3, q5
    vld1.64 {d0-d1}, [r5:128]
    vand q12, q12, q0
    vext.8 q0, q15, q15, #4
    veor q8, q8, q13
    veor q12, q12, q1
    vtbl.8 d6, {d6}, d20
    veor q15, q15, q0
    veor q4, q12, q4
    vtbl.8 d7, {d7}, d21
    veor q12, q12, q13
    vld1.64 {d2-d3}, [r1:128]!
    veor q7, q7, q4
    veor q1, q0, q1
    vext.8 q2, q6, q6, #4
    veor q13, q4, q13
    vld1.64 {d22-d23}, [r1:128]!
    veor q6, q6, q2
    veor q11, q2, q11
    vext.8 q2, q3, q3, #4
    veor q1, q1, q6
    veor q3, q3, q2
    vtbl.8 d24, {d24}, d20
    veor q5, q5, q8
    vtbl.8 d25, {d25}, d21
    veor q8, q5, q9
    vld1.64 {d0-d1}, [r1:128]!
    veor q2, q2, q0
    vext.8 q14, q12, q12, #4
    veor q2, q2, q15
    veor q12, q12, q14
    vtbl.8 d14, {d14}, d20
    veor d4, d4, d7
    veor q11, q11, q12
    vtbl.8 d15, {d15}, d21
    veor d5, d5, d6
    veor d0, d22, d13
    vtbl.8 d22, {d8}, d20
    veor d1, d23, d12
    vext.8 q5, q7, q7, #4
    veor q1, q1, q12
    vtbl.8 d23, {d9}, d21
    veor q9, q7, q5
    vld1.64 {d8-d9}, [r1:128]!
    veor d2, d2, d31
    veor q4, q5, q4
    vext.8 q6, q11, q11, #4
    veor d3, d3, d30
    vld1.64 {d10-d11}, [r1:128]!
    veor q11, q11, q6
    veor q5, q6, q5
    vtbl.8 d26, {d26}, d20
    veor q4, q4, q3
    veor q5, q5, q9
    vld1.64 {d6-d7}, [r1:128]!
    veor q14, q14, q3
    vtbl.8 d27, {d27}, d21
    veor q5, q5, q12
    veor q7, q4, q12
    vtbl.8 d16, {d16}, d20
    veor d8, d10, d23
    veor d9, d11, d22
    vext.8 q5, q13, q13, #4
    veor d6, d14, d19
    veor q13, q13, q5
    vtbl.8 d17, {d17}, d21
    veor d7, d15, d18
    veor q14, q14, q13
    vld1.64 {d12-d13}, [r1:128]!
    veor q5, q5, q6
    vext.8 q9, q8, q8, #4
    veor d14, d28, d25
    veor d15, d29, d24
    vld1.64 {d12-d13}, [r1:128]!
    veor q8, q8, q9
    veor q9, q9, q6
    veor q5, q5, q8
    veor q9, q9, q11
    veor d12, d10, d27
    veor d13, d11, d26
    veor d10, d18, d17
    veor d11, d19, d16
    subs r2, r2, #1
    bne 1b
    /* SubBytes */
    veor q8, q4, q2
    veor q10, q7, q1
    veor q9, q6, q5
    veor q11, q10, q8
    vst1.64 {d16-d17}, [r7:128]
    veor q13, q9, q0
    veor q12, q3, q11
    veor q15, q13, q4
    vst1.64 {d22-d23}, [r3:128]
    veor q14, q12, q2
    veor q4, q7, q4
    veor q6, q12, q6
    vst1.64 {d30-d31}, [r5:128]
    veor q5, q7, q2
    vst1.64 {d28-d29}, [r9:128]
    veor q2, q14, q9
    vst1.64 {d8-d9}, [r8:128]
    veor q12, q6, q4
    vst1.64 {d12-d13}, [r4:128]
    vand q3, q11, q14
    vst1.64 {d10-d11}, [r12:128]
    veor q11, q2, q12
    vst1.64 {d4-d5}, [lr:128]
    veor q9, q9, q12
    veor q1, q13, q1
    vst1.64 {d22-d23}, [r6:128]
    vand q6, q15, q0
    vst1.64 {d18-d19}, [r10:128]
    vand q15, q8, q11
    vand q11, q4, q12
    vand q8, q5, q2
    veor q4, q14, q0
    vand q14, q10, q9
    veor q9, q1, q5
    veor q8, q8, q11
    veor q6, q6, q3
    vst1.64 {d18-d19}, [r11:128]
    veor q11, q15, q11
    vand q15, q9, q4
    veor q9, q2, q5
    veor q6, q6, q8
    vand q5, q1, q13
    veor q2, q13, q7
    veor q3, q15, q3
    veor q15, q6, q9
    veor q6, q0, q12
    vld1.64 {d18-d19}, [r4:128]
    veor q5, q5, q14
    veor q3, q3, q9
    vand q9, q2, q6
    veor q5, q5, q11
    veor q9, q9, q14
    veor q14, q3, q11
    vld1.64 {d22-d23}, [r10:128]
    veor q3, q9, q8
    veor q8, q10, q11
    veor q9, q7, q11
    veor q7, q5, q8
    veor q8, q3, q9
    vand q5, q14, q7
    veor q3, q7, q8
    veor q9, q15, q5
    veor q5, q8, q5
    vand q3, q9, q3
    veor q9, q14, q15
    veor q3, q3, q8
    vand q14, q9, q5
    vand q0, q3, q0
    veor q14, q14, q15
    veor q15, q5, q3
    vand q2, q14, q2
    vand q8, q8, q15
    veor q15, q7, q3
    veor q7, q5, q8
    veor q5, q8, q15
    vand q15, q14, q7
    vand q8, q14, q6
    veor q6, q9, q15
    vand q9, q5, q4
    vand q7, q6, q1
    vld1.64 {d8-d9}, [r3:128]
    veor q1, q3, q5
    veor q15, q14, q6
    vand q4, q1, q4
    veor q14, q14, q3
    vand q11, q15, q11
    vand q10, q15, q10
    vst1.64 {d8-d9}, [r10:128]
    vand q15, q14, q12
    vld1.64 {d8-d9}, [r5:128]
    vld1.64 {d24-d25}, [r9:128]
    vand q13, q6, q13
    vand q4, q3, q4
    veor q6, q6, q5
    vld1.64 {d6-d7}, [r11:128]
    vand q12, q1, q12
    veor q8, q11, q8
    vand q1, q5, q3
    veor q11, q11, q13
    vld1.64 {d10-d11}, [r8:128]
    veor q13, q12, q0
    veor q3, q14, q6
    veor q9, q9, q12
    vld1.64 {d24-d25}, [r7:128]
    vand q14, q14, q5
    vand q12, q3, q12
    vld1.64 {d10-d11}, [lr:128]
    veor q8, q13, q8
    veor q12, q14, q12
    veor q13, q10, q13
    veor q0, q1, q12
    vand q1, q6, q5
    vld1.64 {d10-d11}, [r6:128]
    veor q12, q7, q12
    vand q7, q3, q5
    veor q9, q11, q9
    vld1.64 {d10-d11}, [r10:128]
    veor q11, q7, q11
    veor q13, q1, q13
    veor q7, q5, q0
    veor q13, q11, q13
    veor q11, q15, q11
    veor q3, q2, q13
    veor q15, q14, q11
    veor q14, q12, q8
    veor q12, q0, q4
    veor q1, q13, q14
    vld1.64 {d26-d27}, [r12:128]
    veor q15, q3, q15
    vand q13, q6, q13
    veor q4, q7, q9
    veor q5, q15, q13
    veor q2, q12, q3
    veor q7, q7, q11
    veor q0, q10, q14
    veor q3, q8, q4
    veor q6, q4, q11
    end_rounds
end_function tatu_internal_aes_encrypt_eight

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
