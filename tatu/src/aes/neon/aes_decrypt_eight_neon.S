/* AES decryption of eight blocks as planes of bits (planes.h), for AArch32. aes_decrypt_blocks_neon.c calls it as
 *
 *   void tatu_internal_aes_decrypt_eight(struct tatu_internal_aes_planes *planes, size_t rounds_but_the_last, uint8_t
 *   *output, const uint8_t *input)
 *
 * The gates are those of circuit.h. The programs in tatu/search found the order of the instructions and the registers,
 * for a model of the Cortex-A8 (docs/reference/kernels/aes-arm.md). */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_EIGHT_BLOCKS_ASSEMBLY)

#include "planes.inc"

function tatu_internal_aes_decrypt_eight
    begin_rounds
1:  /* InvSubBytes, InvShiftRows, AddRoundKey, InvMixColumns */
    veor q6, q6, q4
    veor q1, q1, q0
    veor q9, q4, q3
    veor q1, q6, q1
    veor q3, q7, q5
    veor q8, q7, q6
    veor q5, q5, q1
    veor q10, q0, q9
    veor q9, q1, q9
    vst1.64 {d12-d13}, [r9:128]
    veor q0, q10, q5
    vst1.64 {d10-d11}, [r5:128]
    veor q11, q9, q5
    vst1.64 {d20-d21}, [r11:128]
    veor q2, q2, q3
    vst1.64 {d18-d19}, [r3:128]
    veor q3, q6, q9
    vst1.64 {d0-d1}, [r6:128]
    vand q12, q9, q5
    veor q13, q3, q0
    vst1.64 {d4-d5}, [r7:128]
    veor q14, q1, q9
    vst1.64 {d6-d7}, [r4:128]
    vand q15, q3, q0
    veor q7, q7, q4
    veor q4, q2, q5
    vand q9, q6, q10
    veor q13, q13, q15
    veor q3, q8, q10
    vst1.64 {d8-d9}, [r12:128]
    veor q5, q7, q6
    veor q13, q13, q9
    veor q9, q7, q1
    veor q0, q8, q2
    veor q12, q12, q15
    vand q15, q1, q2
    vst1.64 {d18-d19}, [r10:128]
    vand q2, q9, q0
    vst1.64 {d0-d1}, [r8:128]
    vand q0, q5, q3
    veor q6, q14, q5
    veor q9, q14, q4
    vand q10, q7, q8
    veor q15, q15, q2
    veor q9, q9, q2
    vand q2, q14, q4
    veor q9, q9, q10
    veor q10, q4, q3
    veor q0, q0, q2
    vand q4, q6, q10
    veor q12, q12, q0
    veor q4, q4, q2
    veor q2, q5, q3
    veor q9, q9, q4
    veor q15, q15, q2
    veor q13, q13, q4
    veor q15, q15, q0
    vand q0, q13, q9
    veor q12, q12, q11
    veor q11, q15, q0
    veor q2, q13, q12
    vand q13, q15, q13
    veor q4, q2, q0
    vand q13, q2, q13
    vand q11, q11, q2
    veor q13, q13, q4
    veor q4, q9, q15
    veor q2, q12, q0
    vand q9, q9, q12
    vand q7, q13, q7
    vand q9, q4, q9
    vand q2, q2, q4
    veor q4, q4, q0
    veor q15, q15, q2
    vand q8, q13, q8
    veor q9, q9, q4
    vld1.64 {d8-d9}, [r12:128]
    veor q12, q12, q11
    vld1.64 {d22-d23}, [r11:128]
    veor q0, q9, q13
    veor q2, q15, q12
    vand q5, q0, q5
    veor q13, q12, q13
    vand q3, q0, q3
    vand q1, q12, q1
    vand q14, q2, q14
    vand q4, q2, q4
    vand q11, q9, q11
    veor q2, q2, q0
    vld1.64 {d0-d1}, [r10:128]
    vand q0, q13, q0
    vand q6, q2, q6
    veor q1, q1, q0
    veor q5, q5, q14
    vand q2, q2, q10
    vld1.64 {d20-d21}, [r9:128]
    veor q7, q7, q0
    veor q0, q15, q9
    vand q9, q9, q10
    vld1.64 {d20-d21}, [r7:128]
    veor q6, q6, q14
    vld1.64 {d28-d29}, [r5:128]
    vand q12, q12, q10
    vld1.64 {d20-d21}, [r6:128]
    vand q10, q0, q10
    veor q2, q2, q4
    vand q14, q15, q14
    veor q3, q3, q4
    veor q1, q1, q5
    veor q4, q11, q10
    vld1.64 {d22-d23}, [r4:128]
    vand q0, q0, q11
    vld1.64 {d22-d23}, [r8:128]
    vand q13, q13, q11
    vld1.64 {d22-d23}, [r3:128]
    veor q9, q9, q0
    vand q15, q15, q11
    veor q9, q9, q6
    veor q14, q14, q10
    vld1.64 {d20-d21}, [r0:128]
    veor q4, q4, q2
    vtbl.8 d22, {d2}, d20
    veor q7, q7, q6
    veor q6, q4, q9
    vtbl.8 d23, {d3}, d21
    veor q12, q12, q13
    veor q8, q8, q13
    vld1.64 {d26-d27}, [r1:128]!
    veor q14, q14, q3
    vtbl.8 d12, {d12}, d20
    veor q12, q12, q3
    veor q14, q14, q9
    vtbl.8 d13, {d13}, d21
    veor q1, q12, q1
    veor q6, q6, q13
    vld1.64 {d6-d7}, [r1:128]!
    vtbl.8 d26, {d28}, d20
    veor q8, q8, q2
    vtbl.8 d27, {d29}, d21
    veor q12, q12, q9
    veor q13, q13, q3
    vext.8 q2, q6, q6, #8
    veor q15, q15, q0
    veor q4, q8, q4
    vld1.64 {d0-d1}, [r1:128]!
    veor q15, q15, q5
    vtbl.8 d10, {d24}, d20
    veor q9, q11, q0
    veor q15, q7, q15
    vtbl.8 d11, {d25}, d21
    veor q14, q14, q4
    vext.8 q0, q9, q9, #8
    veor q4, q4, q15
    veor q2, q6, q2
    vext.8 q15, q13, q13, #8
    veor q12, q12, q4
    veor q15, q13, q15
    vtbl.8 d6, {d28}, d20
    veor q0, q9, q0
    vtbl.8 d7, {d29}, d21
    veor q14, q14, q1
    vld1.64 {d22-d23}, [r1:128]!
    veor q5, q5, q11
    vtbl.8 d24, {d24}, d20
    veor q4, q4, q1
    vtbl.8 d25, {d25}, d21
    vld1.64 {d22-d23}, [r1:128]!
    veor q3, q3, q11
    vld1.64 {d22-d23}, [r1:128]!
    veor q12, q12, q11
    veor q11, q8, q7
    vtbl.8 d8, {d8}, d20
    veor q0, q3, q0
    veor q14, q11, q14
    vext.8 q7, q12, q12, #8
    veor q0, q0, q15
    veor q7, q12, q7
    vld1.64 {d22-d23}, [r1:128]!
    vtbl.8 d28, {d28}, d20
    veor q8, q7, q15
    vtbl.8 d29, {d29}, d21
    veor q6, q6, q8
    veor q11, q14, q11
    vext.8 q1, q3, q3, #8
    veor q9, q9, q7
    veor q14, q11, q2
    vtbl.8 d9, {d9}, d21
    veor q3, q3, q1
    veor q14, q14, q7
    vext.8 q2, q11, q11, #8
    veor q3, q5, q3
    vld1.64 {d14-d15}, [r1:128]!
    veor q4, q4, q7
    veor q7, q11, q2
    vext.8 q2, q5, q5, #8
    veor q3, q3, q8
    veor q7, q4, q7
    vext.8 q1, q4, q4, #8
    veor q5, q5, q2
    veor q4, q4, q1
    vext.8 q11, q0, q0, #4
    veor q8, q7, q15
    veor q13, q13, q4
    vext.8 q1, q6, q6, #4
    veor q12, q12, q5
    veor q15, q0, q11
    vext.8 q0, q14, q14, #4
    veor q6, q6, q1
    veor q4, q0, q15
    vext.8 q5, q12, q12, #4
    veor q7, q11, q6
    veor q14, q14, q0
    vext.8 q0, q9, q9, #4
    veor d4, d14, d31
    veor d5, d15, d30
    vext.8 q7, q3, q3, #4
    veor q12, q12, q5
    veor q9, q9, q0
    vext.8 q10, q13, q13, #4
    veor q3, q3, q7
    veor q1, q1, q9
    vext.8 q15, q8, q8, #4
    veor q11, q10, q12
    veor q13, q13, q10
    veor q8, q8, q15
    veor q1, q1, q13
    veor q5, q5, q8
    veor d2, d2, d13
    veor d3, d3, d12
    veor q15, q15, q3
    veor q7, q7, q14
    veor d12, d10, d25
    veor d13, d11, d24
    veor q12, q4, q13
    veor q7, q7, q13
    veor q10, q0, q13
    veor d8, d14, d7
    veor d9, d15, d6
    veor d6, d24, d29
    veor d7, d25, d28
    veor d14, d22, d27
    veor d15, d23, d26
    veor d10, d30, d17
    veor d11, d31, d16
    veor d0, d20, d19
    veor d1, d21, d18
    subs r2, r2, #1
    bne 1b
    /* InvSubBytes */
    veor q9, q6, q4
    veor q10, q1, q0
    veor q8, q7, q4
    veor q11, q4, q3
    vst1.64 {d18-d19}, [r3:128]
    veor q12, q9, q10
    veor q13, q7, q5
    vst1.64 {d16-d17}, [r5:128]
    veor q14, q12, q11
    veor q15, q0, q11
    vst1.64 {d24-d25}, [r4:128]
    veor q6, q5, q12
    veor q3, q2, q13
    vst1.64 {d28-d29}, [lr:128]
    veor q11, q8, q12
    vst1.64 {d30-d31}, [r7:128]
    veor q5, q7, q9
    veor q4, q15, q6
    vst1.64 {d6-d7}, [r10:128]
    vand q10, q12, q3
    vst1.64 {d22-d23}, [r9:128]
    veor q2, q9, q14
    vst1.64 {d10-d11}, [r6:128]
    veor q7, q12, q14
    vst1.64 {d8-d9}, [r12:128]
    veor q12, q5, q3
    veor q1, q8, q9
    vst1.64 {d4-d5}, [r11:128]
    vand q0, q9, q15
    vand q13, q8, q5
    vst1.64 {d24-d25}, [r8:128]
    veor q9, q2, q4
    veor q8, q5, q15
    vand q5, q11, q12
    veor q15, q3, q6
    vand q11, q14, q6
    vand q3, q2, q4
    vand q12, q1, q8
    veor q9, q9, q3
    veor q11, q11, q3
    veor q3, q7, q15
    vand q2, q7, q15
    veor q3, q3, q5
    veor q12, q12, q2
    veor q13, q3, q13
    veor q3, q15, q8
    veor q10, q10, q5
    veor q5, q7, q1
    veor q4, q14, q6
    veor q11, q11, q12
    veor q14, q1, q8
    veor q11, q11, q4
    vand q4, q5, q3
    veor q9, q9, q0
    veor q0, q4, q2
    veor q10, q10, q14
    veor q9, q9, q0
    veor q13, q13, q0
    veor q14, q10, q12
    vand q10, q9, q13
    veor q12, q13, q14
    vand q13, q13, q11
    veor q4, q9, q11
    veor q0, q12, q10
    vand q13, q12, q13
    veor q2, q11, q10
    vand q9, q14, q9
    veor q13, q13, q0
    veor q0, q4, q10
    veor q10, q14, q10
    vand q9, q4, q9
    vand q10, q10, q4
    vand q12, q2, q12
    veor q9, q9, q0
    vld1.64 {d4-d5}, [r10:128]
    veor q12, q14, q12
    veor q14, q11, q10
    veor q0, q13, q9
    veor q4, q12, q14
    vand q10, q0, q8
    vand q1, q0, q1
    veor q0, q4, q0
    veor q11, q14, q9
    vand q15, q4, q15
    vand q7, q4, q7
    vand q4, q0, q3
    vand q3, q0, q5
    vld1.64 {d0-d1}, [r9:128]
    vand q8, q12, q6
    vand q6, q14, q2
    vand q5, q11, q0
    vld1.64 {d4-d5}, [r5:128]
    veor q1, q1, q7
    vld1.64 {d0-d1}, [r8:128]
    veor q3, q3, q7
    vld1.64 {d14-d15}, [r4:128]
    vand q2, q9, q2
    vand q11, q11, q0
    vand q14, q14, q7
    vld1.64 {d0-d1}, [lr:128]
    veor q2, q2, q5
    veor q14, q14, q5
    veor q10, q10, q15
    veor q5, q6, q11
    vand q0, q12, q0
    veor q12, q12, q13
    veor q7, q4, q15
    veor q6, q5, q10
    vld1.64 {d30-d31}, [r12:128]
    vld1.64 {d10-d11}, [r11:128]
    vand q15, q12, q15
    vand q12, q12, q5
    vld1.64 {d8-d9}, [r7:128]
    vld1.64 {d10-d11}, [r3:128]
    vand q4, q13, q4
    vand q13, q13, q5
    vld1.64 {d10-d11}, [r6:128]
    veor q8, q8, q15
    vand q9, q9, q5
    veor q8, q8, q10
    veor q10, q9, q11
    veor q9, q0, q12
    veor q11, q10, q7
    veor q10, q4, q15
    veor q2, q2, q3
    veor q15, q10, q7
    veor q10, q13, q12
    veor q0, q14, q1
    veor q14, q9, q1
    veor q13, q10, q3
    veor q9, q2, q14
    veor q12, q11, q15
    veor q7, q8, q13
    veor q14, q6, q0
    veor q10, q12, q9
    veor q9, q11, q2
    veor q2, q7, q12
    veor q1, q15, q13
    veor q15, q2, q14
    veor q4, q6, q13
    veor q5, q10, q14
    veor q6, q4, q10
    veor q3, q9, q15
    end_rounds
end_function tatu_internal_aes_decrypt_eight

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
