/* Five blocks of ChaCha20 at once for AArch64 (RFC 8439, sections 2.1 to 2.4): four in NEON's registers, a word of
 * each of the four blocks in one, and the fifth in the core's, whose instructions go beside NEON's. How it is made:
 * docs/reference/kernels/chacha20.md. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_AARCH64)

#include "../../common/assembly_aarch64.h"

/* Words 0 to 15 of the four blocks in v0 to v15; of the fifth: */
word0 .req w4
word1 .req w5
word2 .req w6
word3 .req w7
word4 .req w8
word5 .req w9
word6 .req w10
word7 .req w11
word8 .req w12
word9 .req w13
word10 .req w14
word11 .req w15
word12 .req w16
word13 .req w17
word14 .req w19
word15 .req w20
/* v16 to v19 are free; v20 says which byte goes where when words are turned by 8 bits, v21 has the block numbers 0
 * to 3, v30 has 1, 0, 0, 0, v26 to v29 the initial state. */

/* Four quarter rounds (section 2.1) of the four blocks and of the fifth, with words 0 to 3 for a. */
.macro quarter_rounds b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    add v0.4s, v0.4s, v\b0\().4s
    add word0, word0, word\b0
    add v1.4s, v1.4s, v\b1\().4s
    add word1, word1, word\b1
    add v2.4s, v2.4s, v\b2\().4s
    add word2, word2, word\b2
    add v3.4s, v3.4s, v\b3\().4s
    add word3, word3, word\b3
    eor v\d0\().16b, v\d0\().16b, v0.16b
    eor word\d0, word\d0, word0
    eor v\d1\().16b, v\d1\().16b, v1.16b
    eor word\d1, word\d1, word1
    eor v\d2\().16b, v\d2\().16b, v2.16b
    eor word\d2, word\d2, word2
    eor v\d3\().16b, v\d3\().16b, v3.16b
    eor word\d3, word\d3, word3
    rev32 v\d0\().8h, v\d0\().8h
    ror word\d0, word\d0, #16
    rev32 v\d1\().8h, v\d1\().8h
    ror word\d1, word\d1, #16
    rev32 v\d2\().8h, v\d2\().8h
    ror word\d2, word\d2, #16
    rev32 v\d3\().8h, v\d3\().8h
    ror word\d3, word\d3, #16
    add v\c0\().4s, v\c0\().4s, v\d0\().4s
    add word\c0, word\c0, word\d0
    add v\c1\().4s, v\c1\().4s, v\d1\().4s
    add word\c1, word\c1, word\d1
    add v\c2\().4s, v\c2\().4s, v\d2\().4s
    add word\c2, word\c2, word\d2
    add v\c3\().4s, v\c3\().4s, v\d3\().4s
    add word\c3, word\c3, word\d3
    eor v16.16b, v\b0\().16b, v\c0\().16b
    eor word\b0, word\b0, word\c0
    eor v17.16b, v\b1\().16b, v\c1\().16b
    eor word\b1, word\b1, word\c1
    eor v18.16b, v\b2\().16b, v\c2\().16b
    eor word\b2, word\b2, word\c2
    eor v19.16b, v\b3\().16b, v\c3\().16b
    eor word\b3, word\b3, word\c3
    shl v\b0\().4s, v16.4s, #12
    ror word\b0, word\b0, #20
    shl v\b1\().4s, v17.4s, #12
    ror word\b1, word\b1, #20
    shl v\b2\().4s, v18.4s, #12
    ror word\b2, word\b2, #20
    shl v\b3\().4s, v19.4s, #12
    ror word\b3, word\b3, #20
    sri v\b0\().4s, v16.4s, #20
    add word0, word0, word\b0
    sri v\b1\().4s, v17.4s, #20
    add word1, word1, word\b1
    sri v\b2\().4s, v18.4s, #20
    add word2, word2, word\b2
    sri v\b3\().4s, v19.4s, #20
    add word3, word3, word\b3
    add v0.4s, v0.4s, v\b0\().4s
    eor word\d0, word\d0, word0
    add v1.4s, v1.4s, v\b1\().4s
    eor word\d1, word\d1, word1
    add v2.4s, v2.4s, v\b2\().4s
    eor word\d2, word\d2, word2
    add v3.4s, v3.4s, v\b3\().4s
    eor word\d3, word\d3, word3
    eor v\d0\().16b, v\d0\().16b, v0.16b
    ror word\d0, word\d0, #24
    eor v\d1\().16b, v\d1\().16b, v1.16b
    ror word\d1, word\d1, #24
    eor v\d2\().16b, v\d2\().16b, v2.16b
    ror word\d2, word\d2, #24
    eor v\d3\().16b, v\d3\().16b, v3.16b
    ror word\d3, word\d3, #24
    tbl v\d0\().16b, {v\d0\().16b}, v20.16b
    add word\c0, word\c0, word\d0
    tbl v\d1\().16b, {v\d1\().16b}, v20.16b
    add word\c1, word\c1, word\d1
    tbl v\d2\().16b, {v\d2\().16b}, v20.16b
    add word\c2, word\c2, word\d2
    tbl v\d3\().16b, {v\d3\().16b}, v20.16b
    add word\c3, word\c3, word\d3
    add v\c0\().4s, v\c0\().4s, v\d0\().4s
    eor word\b0, word\b0, word\c0
    add v\c1\().4s, v\c1\().4s, v\d1\().4s
    eor word\b1, word\b1, word\c1
    add v\c2\().4s, v\c2\().4s, v\d2\().4s
    eor word\b2, word\b2, word\c2
    add v\c3\().4s, v\c3\().4s, v\d3\().4s
    eor word\b3, word\b3, word\c3
    eor v16.16b, v\b0\().16b, v\c0\().16b
    ror word\b0, word\b0, #25
    eor v17.16b, v\b1\().16b, v\c1\().16b
    ror word\b1, word\b1, #25
    eor v18.16b, v\b2\().16b, v\c2\().16b
    ror word\b2, word\b2, #25
    eor v19.16b, v\b3\().16b, v\c3\().16b
    ror word\b3, word\b3, #25
    shl v\b0\().4s, v16.4s, #7
    shl v\b1\().4s, v17.4s, #7
    shl v\b2\().4s, v18.4s, #7
    shl v\b3\().4s, v19.4s, #7
    sri v\b0\().4s, v16.4s, #25
    sri v\b1\().4s, v17.4s, #25
    sri v\b2\().4s, v18.4s, #25
    sri v\b3\().4s, v19.4s, #25
.endm

/* Four words, each of four blocks, become four words of each block; to these the initial ones are added, and they go
 * through the message. Beside it the same four words of the fifth block. */
.macro finish word0, word1, word2, word3, initial, offset, next_block
    ldr q22, [x2, #\offset]
    ldr w23, [x0, #\offset]
    trn1 v16.4s, v\word0\().4s, v\word1\().4s
    ldr w24, [x0, #4 + \offset]
    trn2 v17.4s, v\word0\().4s, v\word1\().4s
    ldr w25, [x30, #\offset]
    ldr q23, [x2, #64 + \offset]
    add word\word0, word\word0, w23
    trn1 v18.4s, v\word2\().4s, v\word3\().4s
    ldr w26, [x30, #4 + \offset]
    trn2 v19.4s, v\word2\().4s, v\word3\().4s
    ldr w23, [x0, #8 + \offset]
    ldr q24, [x2, #128 + \offset]
    add word\word1, word\word1, w24
    trn1 v\word0\().2d, v16.2d, v18.2d
    ldr w24, [x0, #12 + \offset]
    trn1 v\word1\().2d, v17.2d, v19.2d
    eor word\word0, word\word0, w25
    ldr q25, [x2, #192 + \offset]
    eor word\word1, word\word1, w26
    trn2 v\word2\().2d, v16.2d, v18.2d
    ldr w25, [x30, #8 + \offset]
    trn2 v\word3\().2d, v17.2d, v19.2d
    ldr w26, [x30, #12 + \offset]
    add v\word0\().4s, v\word0\().4s, v\initial\().4s
    \next_block
    str word\word0, [x21, #\offset]
    add v\word1\().4s, v\word1\().4s, v\initial\().4s
    \next_block
    str word\word1, [x21, #4 + \offset]
    eor v22.16b, v22.16b, v\word0\().16b
    add v\word2\().4s, v\word2\().4s, v\initial\().4s
    \next_block
    str q22, [x1, #\offset]
    add word\word2, word\word2, w23
    add word\word3, word\word3, w24
    eor v23.16b, v23.16b, v\word1\().16b
    add v\word3\().4s, v\word3\().4s, v\initial\().4s
    \next_block
    str q23, [x1, #64 + \offset]
    eor word\word2, word\word2, w25
    eor word\word3, word\word3, w26
    eor v24.16b, v24.16b, v\word2\().16b
    str word\word2, [x21, #8 + \offset]
    eor v25.16b, v25.16b, v\word3\().16b
    str word\word3, [x21, #12 + \offset]
    str q24, [x1, #128 + \offset]
    str q25, [x1, #192 + \offset]
.endm

/* void tatu_internal_chacha20_crypt_5_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input,
 * size_t times) */
    .section .text.tatu_internal_chacha20_crypt_5_blocks, "ax", %progbits
    .global tatu_internal_chacha20_crypt_5_blocks
    .hidden tatu_internal_chacha20_crypt_5_blocks
    .type tatu_internal_chacha20_crypt_5_blocks, %function
    .balign 16
tatu_internal_chacha20_crypt_5_blocks:
    .cfi_startproc
    enter
    stp x29, x30, [sp, #-144]!
    .cfi_adjust_cfa_offset 144
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x19, x20, [sp, #16]
    .cfi_rel_offset x19, 16
    .cfi_rel_offset x20, 24
    stp x21, x22, [sp, #32]
    .cfi_rel_offset x21, 32
    .cfi_rel_offset x22, 40
    stp x23, x24, [sp, #48]
    .cfi_rel_offset x23, 48
    .cfi_rel_offset x24, 56
    stp x25, x26, [sp, #64]
    .cfi_rel_offset x25, 64
    .cfi_rel_offset x26, 72
    stp d8, d9, [sp, #80]
    .cfi_rel_offset d8, 80
    .cfi_rel_offset d9, 88
    stp d10, d11, [sp, #96]
    .cfi_rel_offset d10, 96
    .cfi_rel_offset d11, 104
    stp d12, d13, [sp, #112]
    .cfi_rel_offset d12, 112
    .cfi_rel_offset d13, 120
    stp d14, d15, [sp, #128]
    .cfi_rel_offset d14, 128
    .cfi_rel_offset d15, 136
    mov x21, #0x0003
    movk x21, #0x0201, lsl #16
    movk x21, #0x0407, lsl #32
    movk x21, #0x0605, lsl #48
    mov x22, #0x0808
    movk x22, #0x0808, lsl #16
    movk x22, #0x0808, lsl #32
    movk x22, #0x0808, lsl #48
    add x22, x22, x21
    fmov d20, x21
    mov v20.d[1], x22
    mov x21, #0x100000000
    mov x22, #2
    movk x22, #3, lsl #32
    fmov d21, x21
    mov v21.d[1], x22
    mov w21, #1
    fmov s30, w21
    ld1 {v26.4s-v29.4s}, [x0]
.Lfive_blocks:
    dup v0.4s, v26.s[0]
    ldr word0, [x0]
    dup v1.4s, v26.s[1]
    ldr word1, [x0, #4]
    dup v2.4s, v26.s[2]
    ldr word2, [x0, #8]
    dup v3.4s, v26.s[3]
    ldr word3, [x0, #12]
    dup v4.4s, v27.s[0]
    ldr word4, [x0, #16]
    dup v5.4s, v27.s[1]
    ldr word5, [x0, #20]
    dup v6.4s, v27.s[2]
    ldr word6, [x0, #24]
    dup v7.4s, v27.s[3]
    ldr word7, [x0, #28]
    dup v8.4s, v28.s[0]
    ldr word8, [x0, #32]
    dup v9.4s, v28.s[1]
    ldr word9, [x0, #36]
    dup v10.4s, v28.s[2]
    ldr word10, [x0, #40]
    dup v11.4s, v28.s[3]
    ldr word11, [x0, #44]
    dup v12.4s, v29.s[0]
    ldr word12, [x0, #48]
    dup v13.4s, v29.s[1]
    ldr word13, [x0, #52]
    dup v14.4s, v29.s[2]
    ldr word14, [x0, #56]
    dup v15.4s, v29.s[3]
    ldr word15, [x0, #60]
    add v12.4s, v12.4s, v21.4s
    add word12, word12, #4
    mov w21, #10
.Ldouble_round:
    quarter_rounds 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    quarter_rounds 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14
    subs w21, w21, #1
    b.ne .Ldouble_round

    add x21, x1, #256
    add x30, x2, #256
    add word12, word12, #4
    finish 0, 1, 2, 3, 26, 0
    finish 4, 5, 6, 7, 27, 16
    finish 8, 9, 10, 11, 28, 32
    finish 12, 13, 14, 15, 29, 48, "add v29.4s, v29.4s, v30.4s"
    ldr w23, [x0, #48]
    add x1, x1, #320
    add x2, x2, #320
    add v29.4s, v29.4s, v30.4s /* the fifth block's number has been used, too */
    add w23, w23, #5
    subs x3, x3, #1
    str w23, [x0, #48]
    b.ne .Lfive_blocks

    ldp x19, x20, [sp, #16]
    .cfi_restore x19
    .cfi_restore x20
    ldp x21, x22, [sp, #32]
    .cfi_restore x21
    .cfi_restore x22
    ldp x23, x24, [sp, #48]
    .cfi_restore x23
    .cfi_restore x24
    ldp x25, x26, [sp, #64]
    .cfi_restore x25
    .cfi_restore x26
    ldp d8, d9, [sp, #80]
    .cfi_restore d8
    .cfi_restore d9
    ldp d10, d11, [sp, #96]
    .cfi_restore d10
    .cfi_restore d11
    ldp d12, d13, [sp, #112]
    .cfi_restore d12
    .cfi_restore d13
    ldp d14, d15, [sp, #128]
    .cfi_restore d14
    .cfi_restore d15
    ldp x29, x30, [sp], #144
    .cfi_adjust_cfa_offset -144
    .cfi_restore x29
    .cfi_restore x30
    leave
    .cfi_endproc
    .size tatu_internal_chacha20_crypt_5_blocks, . - tatu_internal_chacha20_crypt_5_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
