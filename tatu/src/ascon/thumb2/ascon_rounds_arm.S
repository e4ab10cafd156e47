/* Ascon-p, and what keeps its state in registers, for 32-bit Arm with a shifter before the second operand: Thumb-2
 * (Cortex-M3 and later) and A32 ("the standard": NIST SP 800-232). The portable twins: ascon_permutation.c,
 * ascon_blocks.c, ascon_aead128.c. How it is made: docs/reference/kernels/ascon.md. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define ROUNDS_12 0xf0
#define ROUNDS_8 0xb4
#define BEHIND_LAST 0x3c

/* The standard, section 3.3, on half a word of each of S0 ... S4, without the last four operations; S4's result is
 * \fourth, which may be \x4. */
.macro substitute x0, x1, x2, x3, x4, fourth
    eor \x0, \x0, \x4
    eor \x4, \x4, \x3
    eor \x2, \x2, \x1
    bic r10, \x0, \x4
    bic r11, \x1, \x0
    bic lr, \x2, \x1
    eor \x0, \x0, lr
    bic lr, \x3, \x2
    eor \x1, \x1, lr
    bic lr, \x4, \x3
    eor \x2, \x2, lr
    eor \x3, \x3, r10
    eor \fourth, \x4, r11
.endm

/* The standard, section 3.4: x ^ (x >>> first) ^ (x >>> second). The low half comes in \low and goes to \home, the
 * high half is in \high before and after. */
.macro diffuse home, low, high, first, second
    .if \first < 32
    eor \home, \low, \low, lsr #\first
    eor \home, \home, \high, lsl #(32 - \first)
    .else
    eor \home, \low, \high, lsr #(\first - 32)
    eor \home, \home, \low, lsl #(64 - \first)
    .endif
    .if \second < 32
    eor \home, \home, \low, lsr #\second
    eor \home, \home, \high, lsl #(32 - \second)
    .else
    eor \home, \home, \high, lsr #(\second - 32)
    eor \home, \home, \low, lsl #(64 - \second)
    .endif
    .if \first < 32
    eor lr, \high, \high, lsr #\first
    .else
    eor lr, \high, \high, lsl #(64 - \first)
    .endif
    .if \second < 32
    eor \high, lr, \high, lsr #\second
    eor \high, \high, \low, lsl #(32 - \second)
    .else
    eor \high, lr, \high, lsl #(64 - \second)
    eor \high, \high, \low, lsr #(\second - 32)
    .endif
    .if \first < 32
    eor \high, \high, \low, lsl #(32 - \first)
    .else
    eor \high, \high, \low, lsr #(\first - 32)
    .endif
.endm

/* The rounds from constant r12 on, with S0 ... S4 in r0 to r9, of each the low half first; r10 to r12 and lr are
 * overwritten. Not a function of C. */
function tatu_internal_ascon_rounds
    .hidden tatu_internal_ascon_rounds
    push {lr}
    .cfi_adjust_cfa_offset 4
    saved_at 0, lr
#if defined(__thumb__)
    .balign 4
#endif
.Lround:
    eor r4, r4, r12
    sub r12, r12, #0x0f
    substitute r1, r3, r5, r7, r9, r9
    eor r3, r3, r1
    eor r1, r1, r9
    eor r7, r7, r5
    mvn r5, r5
    substitute r0, r2, r4, r6, r8, r11
    eor r10, r2, r0
    diffuse r2, r10, r3, 61, 39
    eor r10, r0, r11
    diffuse r0, r10, r1, 19, 28
    eor r10, r6, r4
    diffuse r6, r10, r7, 10, 17
    mvn r10, r4
    diffuse r4, r10, r5, 1, 6
    diffuse r8, r11, r9, 7, 41
    cmp r12, #BEHIND_LAST
    bne .Lround
    pop {pc}
end_function tatu_internal_ascon_rounds

/* The frame: the arguments, `bytes` in \arguments. No other register: a caller may have computed a byte of a message
 * in r3. */
#define STATE 0

.macro begin bytes, arguments:vararg
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    push {\arguments}
    .cfi_adjust_cfa_offset \bytes
.endm

.macro end bytes
    ldr r10, [sp, #STATE]
    stm r10, {r0-r9}
    add sp, sp, #\bytes
    .cfi_adjust_cfa_offset -(\bytes)
    pop {r4-r11, pc}
.endm

/* void tatu_internal_ascon_permute(uint8_t state[40], uint8_t first_constant) */
function tatu_internal_ascon_permute
    begin 4, r0
    mov r12, r1
    ldm r0, {r0-r9}
    bl tatu_internal_ascon_rounds
    end 4
end_function tatu_internal_ascon_permute

/* void tatu_internal_ascon_absorb_blocks(uint8_t state[40], uint8_t rate, const uint8_t *input, const uint8_t *end) */
function tatu_internal_ascon_absorb_blocks
    begin 16, r0, r1, r2, r3
    ldm r0, {r0-r9}
.Labsorb:
    ldr r11, [sp, #4]
    ldr r10, [sp, #8]
    cmp r11, #8
    ldr r12, [r10]
    ldr lr, [r10, #4]
    eor r0, r0, r12
    eor r1, r1, lr
    add lr, r10, r11
    str lr, [sp, #8]
    mov r12, #ROUNDS_12
    beq .Labsorbed
    ldr r12, [r10, #8]
    ldr lr, [r10, #12]
    eor r2, r2, r12
    eor r3, r3, lr
    mov r12, #ROUNDS_8
.Labsorbed:
    bl tatu_internal_ascon_rounds
    ldr r10, [sp, #8]
    ldr r11, [sp, #12]
    cmp r10, r11
    bne .Labsorb
    end 16
end_function tatu_internal_ascon_absorb_blocks

/* Two words of a block from r10 to r11: encrypted, decrypted. */
.macro encrypt_words low, high, offset
    ldr r12, [r10, #\offset]
    ldr lr, [r10, #\offset + 4]
    eor \low, \low, r12
    eor \high, \high, lr
    str \low, [r11, #\offset]
    str \high, [r11, #\offset + 4]
.endm

.macro decrypt_words low, high, offset
    ldr r12, [r10, #\offset]
    ldr lr, [r10, #\offset + 4]
    eor \low, \low, r12
    eor \high, \high, lr
    str \low, [r11, #\offset]
    str \high, [r11, #\offset + 4]
    mov \low, r12
    mov \high, lr
.endm

.macro crypt_blocks words
    begin 16, r0, r1, r2, r3
    ldm r0, {r0-r9}
1:  ldr r10, [sp, #8]
    ldr r11, [sp, #4]
    \words r0, r1, 0
    \words r2, r3, 8
    add r10, r10, #16
    add r11, r11, #16
    str r10, [sp, #8]
    str r11, [sp, #4]
    mov r12, #ROUNDS_8
    bl tatu_internal_ascon_rounds
    ldr r10, [sp, #8]
    ldr r11, [sp, #12]
    cmp r10, r11
    bne 1b
    end 16
.endm

/* void tatu_internal_ascon_encrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t
 * *end) */
function tatu_internal_ascon_encrypt_blocks
    crypt_blocks encrypt_words
end_function tatu_internal_ascon_encrypt_blocks

/* void tatu_internal_ascon_decrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t
 * *end) */
function tatu_internal_ascon_decrypt_blocks
    crypt_blocks decrypt_words
end_function tatu_internal_ascon_decrypt_blocks

/* The key at \key to four words of the state. */
.macro add_key key, word0, word1, word2, word3
    ldr r11, [\key]
    ldr r12, [\key, #4]
    eor \word0, \word0, r11
    eor \word1, \word1, r12
    ldr r11, [\key, #8]
    ldr r12, [\key, #12]
    eor \word2, \word2, r11
    eor \word3, \word3, r12
.endm

/* void tatu_internal_ascon_aead128_start(uint8_t state[40], const uint8_t key[16], const uint8_t nonce[16]) */
function tatu_internal_ascon_aead128_start
    begin 8, r0, r1
    mov r10, r1
    ldr r6, [r2]
    ldr r7, [r2, #4]
    ldr r8, [r2, #8]
    ldr r9, [r2, #12]
    ldr r2, [r10]
    ldr r3, [r10, #4]
    ldr r4, [r10, #8]
    ldr r5, [r10, #12]
    movw r0, #0x0001 /* 0x00001000808c0001: the standard, section 4.1.1 */
    movt r0, #0x808c
    mov r1, #0x1000
    mov r12, #ROUNDS_12
    bl tatu_internal_ascon_rounds
    ldr r10, [sp, #4]
    add_key r10, r6, r7, r8, r9
    end 8
end_function tatu_internal_ascon_aead128_start

/* void tatu_internal_ascon_aead128_finish(uint8_t state[40], uint8_t position, const uint8_t key[16]) */
function tatu_internal_ascon_aead128_finish
    begin 8, r0, r2
    ldrb r3, [r0, r1] /* the padding */
    mov r10, r2
    eor r3, r3, #1
    strb r3, [r0, r1]
    ldm r0, {r0-r9}
    add_key r10, r4, r5, r6, r7
    mov r12, #ROUNDS_12
    bl tatu_internal_ascon_rounds
    ldr r10, [sp, #4]
    add_key r10, r6, r7, r8, r9
    end 8
end_function tatu_internal_ascon_aead128_finish

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
