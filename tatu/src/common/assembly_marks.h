/* Every assembly file ends with this one. On AArch64 it tells the linker that the file keeps to branch protection: its
 * functions begin with a landing pad (BTI), and sign a return address that they store (PAC), as the macros of
 * assembly_aarch64.h do. The linker marks a program only if all files say so, the empty ones too (ELF for the Arm
 * 64-bit architecture, "Program Property"). */
#ifndef TATU_COMMON_ASSEMBLY_MARKS_H
#define TATU_COMMON_ASSEMBLY_MARKS_H

#if defined(__aarch64__) && defined(__ELF__) && \
    (defined(__ARM_FEATURE_BTI_DEFAULT) || defined(__ARM_FEATURE_PAC_DEFAULT))

#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define TATU_INTERNAL_MARK_BTI 1
#else
#define TATU_INTERNAL_MARK_BTI 0
#endif

#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define TATU_INTERNAL_MARK_PAC 2
#else
#define TATU_INTERNAL_MARK_PAC 0
#endif

    .pushsection .note.gnu.property, "a", %note
    .p2align 3
    .long 4                     /* bytes of the name */
    .long 16                    /* bytes of what follows it */
    .long 5                     /* NT_GNU_PROPERTY_TYPE_0 */
    .asciz "GNU"
    .long 0xc0000000            /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
    .long 4
    .long TATU_INTERNAL_MARK_BTI + TATU_INTERNAL_MARK_PAC
    .long 0
    .popsection

#endif

#endif
