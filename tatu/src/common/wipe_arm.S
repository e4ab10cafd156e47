/* void tatu_wipe(void *buffer, size_t length), of tatu/wipe.h, for 32-bit Arm. It uses only registers that a function
 * need not save. memset of newlib saves four or five, and with them what the caller computed there. */
#include "assembly.h"

#if defined(TATU_INTERNAL_ARM_ASSEMBLY) || defined(TATU_INTERNAL_THUMB1_ASSEMBLY)

#include "assembly_arm.h"

public_function tatu_wipe
    movs r2, #0
.Lto_a_word:
    lsls r3, r0, #30
    beq .Lin_words
    subs r1, r1, #1
    blo .Lwiped
    strb r2, [r0]
    adds r0, r0, #1
    b .Lto_a_word
.Lin_words: /* r3 is 0 here */
    subs r1, r1, #32
    blo .Lless_than_32
.L32_bytes:
    stm r0!, {r2, r3}
    stm r0!, {r2, r3}
    stm r0!, {r2, r3}
    stm r0!, {r2, r3}
    subs r1, r1, #32
    bhs .L32_bytes
.Lless_than_32: /* the number is the low five bits of r1: to carry, sign and the rest of r1 */
    lsls r1, r1, #28
    bcc .Lless_than_16
    stm r0!, {r2, r3}
    stm r0!, {r2, r3}
.Lless_than_16:
    bpl .Lless_than_8
    stm r0!, {r2, r3}
.Lless_than_8:
    lsls r1, r1, #2
    bcs .Lfour
.Lless_than_4:
    beq .Lwiped
    bpl .Lless_than_2
    strh r2, [r0]
    adds r0, r0, #2
.Lless_than_2:
    lsls r1, r1, #2
    bcc .Lwiped
    strb r2, [r0]
.Lwiped:
    bx lr
.Lfour:
    stm r0!, {r2}
    b .Lless_than_4
end_function tatu_wipe

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "assembly_marks.h"
