/* Ascon-p, and what keeps its state in registers, for the Thumb of ARMv6-M: Cortex-M0, M0+ ("the standard": NIST SP
 * 800-232). The portable twins: ascon_permutation.c, ascon_blocks.c, ascon_aead128.c. How it is made:
 * docs/reference/kernels/ascon.md. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_THUMB1)

#include "../../common/assembly_thumb1.h"
#include "../../common/assembly_arm.h"

#define ROUNDS_12 0xf0
#define ROUNDS_8 0xb4
#define BEHIND_LAST 0x3c

/* The standard, section 3.3, on half a word of each of S0 ... S4. */
.macro substitute x0, x1, x2, x3, x4, t0, t1, t2
    eors \x0, \x0, \x4
    eors \x4, \x4, \x3
    eors \x2, \x2, \x1
    movs \t0, \x0
    bics \t0, \t0, \x4
    movs \t1, \x1
    bics \t1, \t1, \x0
    movs \t2, \x2
    bics \t2, \t2, \x1
    eors \x0, \x0, \t2
    movs \t2, \x3
    bics \t2, \t2, \x2
    eors \x1, \x1, \t2
    movs \t2, \x4
    bics \t2, \t2, \x3
    eors \x2, \x2, \t2
    eors \x3, \x3, \t0
    eors \x4, \x4, \t1
    eors \x1, \x1, \x0
    eors \x0, \x0, \x4
    eors \x3, \x3, \x2
    mvns \x2, \x2
.endm

/* sum ^= what a rotation of \word : \other by \bits to the right brings into \word's place */
.macro add_rotation sum, word, other, bits, t
    .if \bits < 32
    lsrs \t, \word, #\bits
    eors \sum, \sum, \t
    lsls \t, \other, #(32 - \bits)
    .else
    lsrs \t, \other, #(\bits - 32)
    eors \sum, \sum, \t
    lsls \t, \word, #(64 - \bits)
    .endif
    eors \sum, \sum, \t
.endm

/* The standard, section 3.4: x ^ (x >>> first) ^ (x >>> second). The low half comes from and the high half, which is
 * in \high, goes to the high register \place; the low half ends in \low. */
.macro diffuse place, low, high, first, second, sum, t
    mov \low, \place
    .if \first < 32
    lsrs \sum, \high, #\first
    lsls \t, \low, #(32 - \first)
    .else
    lsrs \sum, \low, #(\first - 32)
    lsls \t, \high, #(64 - \first)
    .endif
    eors \sum, \sum, \t
    add_rotation \sum, \high, \low, \second, \t
    eors \sum, \sum, \high
    mov \place, \sum
    /* \low itself is what is shifted to the right and to the left below, so its own terms come first. */
    .if \first < 32
    lsrs \sum, \low, #\first
    .else
    lsls \sum, \low, #(64 - \first)
    .endif
    .if \second < 32
    lsrs \t, \low, #\second
    .else
    lsls \t, \low, #(64 - \second)
    .endif
    eors \low, \low, \sum
    eors \low, \low, \t
    .if \first < 32
    lsls \t, \high, #(32 - \first)
    .else
    lsrs \t, \high, #(\first - 32)
    .endif
    eors \low, \low, \t
    .if \second < 32
    lsls \t, \high, #(32 - \second)
    .else
    lsrs \t, \high, #(\second - 32)
    .endif
    eors \low, \low, \t
.endm

/* The rounds from constant r7 on, with the low halves of S0 ... S4 in r0 to r4 and the high ones in r8 to r12; r5 to
 * r7 and lr are overwritten. Not a function of C. */
function tatu_internal_ascon_rounds
    .hidden tatu_internal_ascon_rounds
    push {lr}
    .cfi_adjust_cfa_offset 4
    saved_at 0, lr
.Lround: /* the constant in r7 */
    eors r2, r2, r7
    subs r7, r7, #0x0f
    mov lr, r7
    substitute r0, r1, r2, r3, r4, r5, r6, r7
    mov r5, r8
    mov r8, r0
    mov r0, r9
    mov r9, r1
    mov r1, r10
    mov r10, r2
    mov r2, r11
    mov r11, r3
    mov r3, r12
    mov r12, r4
    substitute r5, r0, r1, r2, r3, r4, r6, r7
    diffuse r12, r4, r3, 7, 41, r6, r7
    diffuse r11, r3, r2, 10, 17, r6, r7
    diffuse r10, r2, r1, 1, 6, r6, r7
    diffuse r9, r1, r0, 61, 39, r6, r7
    diffuse r8, r0, r5, 19, 28, r6, r7
    mov r7, lr
    cmp r7, #BEHIND_LAST
    beq .Lrounds_done
    b .Lround
.Lrounds_done:
    pop {pc}
end_function tatu_internal_ascon_rounds

/* The frame: the arguments; a block on its way, where a word's address must be a multiple of 4; what is to be
 * restored. */
#define STATE 0
#define ARGUMENT1 4
#define ARGUMENT2 8
#define ARGUMENT3 12
#define BLOCK 16

/* `bytes` in \arguments. No other register: a caller may have computed a byte of a message in r3. */
.macro begin bytes, arguments:vararg
    push_high_registers
    sub sp, sp, #32 - (\bytes)
    .cfi_adjust_cfa_offset 32 - (\bytes)
    push {\arguments}
    .cfi_adjust_cfa_offset \bytes
.endm

.macro load_state /* at r0 */
    ldr r1, [r0, #4]
    mov r8, r1
    ldr r1, [r0, #12]
    mov r9, r1
    ldr r1, [r0, #20]
    mov r10, r1
    ldr r1, [r0, #28]
    mov r11, r1
    ldr r1, [r0, #36]
    mov r12, r1
    ldr r1, [r0, #8]
    ldr r2, [r0, #16]
    ldr r3, [r0, #24]
    ldr r4, [r0, #32]
    ldr r0, [r0]
.endm

/* The state to memory, what was saved back, and return: the ends of all functions below. */
function tatu_internal_ascon_end
    .cfi_def_cfa_offset 68 /* the frame of the function that goes on here */
    saved_at 32, r8, r9, r10, r11, r4, r5, r6, r7, lr
    .hidden tatu_internal_ascon_end
    ldr r5, [sp, #STATE]
    mov r6, r8
    stm r5!, {r0, r6}
    mov r6, r9
    stm r5!, {r1, r6}
    mov r6, r10
    stm r5!, {r2, r6}
    mov r6, r11
    stm r5!, {r3, r6}
    mov r6, r12
    stm r5!, {r4, r6}
    movs r0, #0
    str r0, [sp, #BLOCK]
    str r0, [sp, #BLOCK + 4]
    str r0, [sp, #BLOCK + 8]
    str r0, [sp, #BLOCK + 12]
    add sp, sp, #32
    .cfi_adjust_cfa_offset -(32)
    pop_high_registers_and_return
end_function tatu_internal_ascon_end

/* By way of r7. */
.macro copy_16 from, to
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldrb r7, [\from, #\byte]
    strb r7, [\to, #\byte]
    .endr
.endm

/* No word is read or written at another address than a multiple of 4 on this core: the 16 bytes at r5 to the frame's
 * block, where r5 then points, unless they are at one. Overwrites r6 and r7. Not a function of C. */
function tatu_internal_ascon_align
    .hidden tatu_internal_ascon_align
    lsls r6, r5, #30
    beq 2f
    add r6, sp, #BLOCK
    copy_16 r5, r6
    movs r5, r6
2:  bx lr
end_function tatu_internal_ascon_align

/* void tatu_internal_ascon_permute(uint8_t state[40], uint8_t first_constant) */
function tatu_internal_ascon_permute
    begin 4, r0
    movs r7, r1
    load_state
    bl tatu_internal_ascon_rounds
    bl tatu_internal_ascon_end
end_function tatu_internal_ascon_permute

/* high ^= the word at r5 + offset, by way of r7 */
.macro add_to_high high, offset
    ldr r6, [r5, #\offset]
    mov r7, \high
    eors r7, r7, r6
    mov \high, r7
.endm

/* void tatu_internal_ascon_absorb_blocks(uint8_t state[40], uint8_t rate, const uint8_t *input, const uint8_t *end) */
function tatu_internal_ascon_absorb_blocks
    begin 16, r0, r1, r2, r3
    load_state
.Labsorb:
    ldr r5, [sp, #ARGUMENT1]
    ldr r7, [sp, #ARGUMENT2]
    adds r6, r5, r7
    str r6, [sp, #ARGUMENT2]
    cmp r5, #8
    beq .Labsorb_8
    movs r5, r7
    bl tatu_internal_ascon_align
    ldr r6, [r5, #8]
    eors r1, r1, r6
    add_to_high r9, 12
    movs r6, #ROUNDS_8
    b .Labsorb_first
.Labsorb_8:
    movs r5, r7
    lsls r6, r5, #30
    beq .Labsorb_12
    mov lr, r4
    movs r6, #0
    add r4, sp, #BLOCK
1:  ldrb r7, [r5, r6]
    strb r7, [r4, r6]
    adds r6, r6, #1
    cmp r6, #8
    bne 1b
    movs r5, r4
    mov r4, lr
.Labsorb_12:
    movs r6, #ROUNDS_12
.Labsorb_first:
    mov lr, r6
    ldr r6, [r5]
    eors r0, r0, r6
    add_to_high r8, 4
    mov r7, lr
    bl tatu_internal_ascon_rounds
    ldr r5, [sp, #ARGUMENT2]
    ldr r6, [sp, #ARGUMENT3]
    cmp r5, r6
    bne .Labsorb
    bl tatu_internal_ascon_end
end_function tatu_internal_ascon_absorb_blocks

/* Two words of a block from r5 to r6: encrypted, decrypted. */
.macro encrypt_words low, high, offset
    ldr r7, [r5, #\offset]
    eors \low, \low, r7
    str \low, [r6, #\offset]
    ldr r7, [r5, #\offset + 4]
    mov lr, \low
    mov \low, \high
    eors \low, \low, r7
    str \low, [r6, #\offset + 4]
    mov \high, \low
    mov \low, lr
.endm

.macro decrypt_words low, high, offset
    ldr r7, [r5, #\offset]
    eors \low, \low, r7
    str \low, [r6, #\offset]
    mov lr, r7
    ldr r7, [r5, #\offset + 4]
    mov \low, \high
    eors \low, \low, r7
    str \low, [r6, #\offset + 4]
    mov \high, r7
    mov \low, lr
.endm

.macro crypt_blocks words
    begin 16, r0, r1, r2, r3
    load_state
1:  ldr r5, [sp, #ARGUMENT2]
    ldr r6, [sp, #ARGUMENT1]
    movs r7, r5
    orrs r7, r7, r6
    lsls r7, r7, #30
    beq 3f
    bl tatu_internal_ascon_align
    add r6, sp, #BLOCK
    \words r0, r8, 0
    \words r1, r9, 8
    ldr r5, [sp, #ARGUMENT1]
    copy_16 r6, r5
    b 4f
3:  \words r0, r8, 0
    \words r1, r9, 8
4:  ldr r5, [sp, #ARGUMENT2]
    ldr r6, [sp, #ARGUMENT1]
    adds r5, r5, #16
    adds r6, r6, #16
    str r5, [sp, #ARGUMENT2]
    str r6, [sp, #ARGUMENT1]
    movs r7, #ROUNDS_8
    bl tatu_internal_ascon_rounds
    ldr r5, [sp, #ARGUMENT2]
    ldr r6, [sp, #ARGUMENT3]
    cmp r5, r6
    bne 1b
    bl tatu_internal_ascon_end
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

/* The key, at r5, to two words of the state. */
.macro add_key low0, high0, low1, high1
    ldr r6, [r5]
    eors \low0, \low0, r6
    add_to_high \high0, 4
    ldr r6, [r5, #8]
    eors \low1, \low1, r6
    add_to_high \high1, 12
.endm

/* void tatu_internal_ascon_aead128_start(uint8_t state[40], const uint8_t key[16], const uint8_t nonce[16]) */
function tatu_internal_ascon_aead128_start
    begin 8, r0, r1
    movs r5, r2
    bl tatu_internal_ascon_align
    ldm r5, {r3-r6}
    mov r11, r4
    movs r4, r5
    mov r12, r6
    ldr r5, [sp, #ARGUMENT1]
    bl tatu_internal_ascon_align
    ldr r1, [r5]
    ldr r6, [r5, #4]
    mov r9, r6
    ldr r2, [r5, #8]
    ldr r6, [r5, #12]
    mov r10, r6
    ldr r0, =0x808c0001 /* 0x00001000808c0001: the standard, section 4.1.1 */
    ldr r6, =0x00001000
    mov r8, r6
    movs r7, #ROUNDS_12
    bl tatu_internal_ascon_rounds
    ldr r5, [sp, #ARGUMENT1]
    bl tatu_internal_ascon_align
    add_key r3, r11, r4, r12
    bl tatu_internal_ascon_end
    .pool
end_function tatu_internal_ascon_aead128_start

/* void tatu_internal_ascon_aead128_finish(uint8_t state[40], uint8_t position, const uint8_t key[16]) */
function tatu_internal_ascon_aead128_finish
    begin 12, r0, r1, r2
    ldrb r3, [r0, r1] /* the padding */
    movs r4, #1
    eors r3, r3, r4
    strb r3, [r0, r1]
    load_state
    ldr r5, [sp, #ARGUMENT2]
    bl tatu_internal_ascon_align
    add_key r2, r10, r3, r11
    movs r7, #ROUNDS_12
    bl tatu_internal_ascon_rounds
    ldr r5, [sp, #ARGUMENT2]
    bl tatu_internal_ascon_align
    add_key r3, r11, r4, r12
    bl tatu_internal_ascon_end
end_function tatu_internal_ascon_aead128_finish

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
