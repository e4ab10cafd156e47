/* What assembly files for AArch64 share: saving and restoring x19 to x30, which a function must leave as they were
 * (AAPCS64, section 6.1.1). */
#ifndef TATU_COMMON_ASSEMBLY_AARCH64_H
#define TATU_COMMON_ASSEMBLY_AARCH64_H

/* Where the caller's stack and registers are, for debuggers and unwinders (DWARF 5, section 6.4). With an operating
 * system it is loaded too, so that a program can walk its own stack. */
#if !defined(__linux__) && !defined(__unix__)
    .cfi_sections .debug_frame
#endif

/* A function begins with the first and ends with the second. With branch protection (-mbranch-protection) an indirect
 * branch may arrive there, and the return address is signed on the way in and checked on the way out. Older processors
 * take these hints for NOP. */
.macro enter
#if defined(__ARM_FEATURE_PAC_DEFAULT) && (__ARM_FEATURE_PAC_DEFAULT & 2)
    .cfi_b_key_frame
    hint #27                    /* pacibsp, a landing pad too */
    .cfi_negate_ra_state
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
    hint #25                    /* paciasp, a landing pad too */
    .cfi_negate_ra_state
#elif defined(__ARM_FEATURE_BTI_DEFAULT)
    hint #34                    /* bti c */
#endif
.endm

.macro leave
#if defined(__ARM_FEATURE_PAC_DEFAULT) && (__ARM_FEATURE_PAC_DEFAULT & 2)
    hint #31                    /* autibsp */
    .cfi_negate_ra_state
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
    hint #29                    /* autiasp */
    .cfi_negate_ra_state
#endif
    ret
.endm

/* Stores the registers in the frame, from `offset` above sp on. */
.macro save_registers offset
    stp x19, x20, [sp, #\offset]
    .cfi_rel_offset x19, \offset
    .cfi_rel_offset x20, \offset + 8
    stp x21, x22, [sp, #\offset + 16]
    .cfi_rel_offset x21, \offset + 16
    .cfi_rel_offset x22, \offset + 16 + 8
    stp x23, x24, [sp, #\offset + 32]
    .cfi_rel_offset x23, \offset + 32
    .cfi_rel_offset x24, \offset + 32 + 8
    stp x25, x26, [sp, #\offset + 48]
    .cfi_rel_offset x25, \offset + 48
    .cfi_rel_offset x26, \offset + 48 + 8
    stp x27, x28, [sp, #\offset + 64]
    .cfi_rel_offset x27, \offset + 64
    .cfi_rel_offset x28, \offset + 64 + 8
    stp x29, x30, [sp, #\offset + 80]
    .cfi_rel_offset x29, \offset + 80
    .cfi_rel_offset x30, \offset + 80 + 8
.endm

.macro restore_registers offset
    ldp x19, x20, [sp, #\offset]
    .cfi_restore x19
    .cfi_restore x20
    ldp x21, x22, [sp, #\offset + 16]
    .cfi_restore x21
    .cfi_restore x22
    ldp x23, x24, [sp, #\offset + 32]
    .cfi_restore x23
    .cfi_restore x24
    ldp x25, x26, [sp, #\offset + 48]
    .cfi_restore x25
    .cfi_restore x26
    ldp x27, x28, [sp, #\offset + 64]
    .cfi_restore x27
    .cfi_restore x28
    ldp x29, x30, [sp, #\offset + 80]
    .cfi_restore x29
    .cfi_restore x30
.endm

#endif
