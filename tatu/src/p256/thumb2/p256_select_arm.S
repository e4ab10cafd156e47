/* An entry of a table of eight, of which all words are read, for 32-bit Arm with multiplications that take the same
 * time for every number. The C twin: p256_point.c.
 *
 *     void tatu_internal_p256_select(uint32_t *result, const uint32_t *table, uint32_t entry, uint32_t words);
 *
 * `words` are those of an entry, a multiple of 8. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#include "../../common/assembly_arm.h"

/* The frame. */
#define RESULT 0
#define ENTRY 4
#define WORDS_LEFT 8

.macro add_two a, b
    ldm r1!, {r2, r3}
    mla \a, r2, lr, \a
    mla \b, r3, lr, \b
.endm

function tatu_internal_p256_select
    push {r0, r2, r3, r4-r11, lr}
    .cfi_adjust_cfa_offset 48
    saved_at 12, r4, r5, r6, r7, r8, r9, r10, r11, lr
    lsl r12, r3, #2
    sub r12, r12, #32           /* from the end of eight words to the same ones of the next entry */
.Leight_words:
    mov r4, #0
    mov r5, #0
    mov r6, #0
    mov r7, #0
    mov r8, #0
    mov r9, #0
    mov r10, #0
    mov r11, #0
    mov r0, #0
.Lentry:
    ldr r2, [sp, #ENTRY]
    eor lr, r0, r2
    clz lr, lr
    lsr lr, lr, #5              /* 1 if it is this entry, else 0 */
    add_two r4, r5
    add_two r6, r7
    add_two r8, r9
    add_two r10, r11
    add r1, r1, r12
    add r0, r0, #1
    cmp r0, #8
    bne .Lentry
    sub r1, r1, r12, lsl #3
    sub r1, r1, #7 * 32
    ldr r0, [sp, #RESULT]
    ldr r2, [sp, #WORDS_LEFT]
    stm r0!, {r4-r11}
    str r0, [sp, #RESULT]
    subs r2, r2, #8
    str r2, [sp, #WORDS_LEFT]
    bne .Leight_words
    add sp, sp, #12
    .cfi_adjust_cfa_offset -12
    pop {r4-r11, pc}
end_function tatu_internal_p256_select

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
