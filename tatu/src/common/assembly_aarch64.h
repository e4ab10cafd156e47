/* What assembly files for AArch64 share: saving and restoring x19 to x30, which a function must leave as they were
 * (AAPCS64, section 6.1.1). */
#ifndef TATU_COMMON_ASSEMBLY_AARCH64_H
#define TATU_COMMON_ASSEMBLY_AARCH64_H

/* A function begins with the first and ends with the second. With branch protection (-mbranch-protection) an indirect
 * branch may arrive there, and the return address is signed on the way in and checked on the way out. Older processors
 * take these hints for NOP. */
.macro enter
#if defined(__ARM_FEATURE_PAC_DEFAULT) && (__ARM_FEATURE_PAC_DEFAULT & 2)
    hint #27                    /* pacibsp, a landing pad too */
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
    hint #25                    /* paciasp, a landing pad too */
#elif defined(__ARM_FEATURE_BTI_DEFAULT)
    hint #34                    /* bti c */
#endif
.endm

.macro leave
#if defined(__ARM_FEATURE_PAC_DEFAULT) && (__ARM_FEATURE_PAC_DEFAULT & 2)
    hint #31                    /* autibsp */
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
    hint #29                    /* autiasp */
#endif
    ret
.endm

/* Stores the registers in the frame, from `offset` above sp on. */
.macro save_registers offset
    stp x19, x20, [sp, #\offset]
    stp x21, x22, [sp, #\offset + 16]
    stp x23, x24, [sp, #\offset + 32]
    stp x25, x26, [sp, #\offset + 48]
    stp x27, x28, [sp, #\offset + 64]
    stp x29, x30, [sp, #\offset + 80]
.endm

.macro restore_registers offset
    ldp x19, x20, [sp, #\offset]
    ldp x21, x22, [sp, #\offset + 16]
    ldp x23, x24, [sp, #\offset + 32]
    ldp x25, x26, [sp, #\offset + 48]
    ldp x27, x28, [sp, #\offset + 64]
    ldp x29, x30, [sp, #\offset + 80]
.endm

#endif
