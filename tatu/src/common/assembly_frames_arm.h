/* What a debugger or an unwinder must know of a function in 32-bit Arm assembly: where its caller's stack begins (CFA)
 * and where the registers of the caller are (DWARF 5, section 6.4; AADWARF32). The directives make no code. They go to
 * .debug_frame, which is never loaded into a device. */
#ifndef TATU_COMMON_ASSEMBLY_FRAMES_ARM_H
#define TATU_COMMON_ASSEMBLY_FRAMES_ARM_H

    .cfi_sections .debug_frame

/* These registers, which a function must leave as they were, lie one behind the other from `offset` above sp on. */
.macro saved_at offset, registers:vararg
    .set .Lsaved_at, \offset
    .irp register, \registers
    .cfi_rel_offset \register, .Lsaved_at
    .set .Lsaved_at, .Lsaved_at + 4
    .endr
.endm

/* Behind a PUSH of so many bytes, the last registers of which are r4 to r11 and lr. */
.macro pushed_r4_to_lr bytes
    .cfi_adjust_cfa_offset \bytes
    saved_at (\bytes) - 36, r4, r5, r6, r7, r8, r9, r10, r11, lr
.endm

.macro pushed_d8_to_d15
    .cfi_adjust_cfa_offset 64
    .cfi_rel_offset d8, 0
    .cfi_rel_offset d9, 8
    .cfi_rel_offset d10, 16
    .cfi_rel_offset d11, 24
    .cfi_rel_offset d12, 32
    .cfi_rel_offset d13, 40
    .cfi_rel_offset d14, 48
    .cfi_rel_offset d15, 56
.endm

.macro popped_d8_to_d15
    .cfi_adjust_cfa_offset -64
    .irp register, d8, d9, d10, d11, d12, d13, d14, d15
    .cfi_restore \register
    .endr
.endm

/* In a loop that moves sp by `step` each time: how far, the table of constants says, which r0 goes through in the same
 * steps. The CFA is sp + `bytes`, and a step more (0x22, plus) or less (0x1c, minus) for each constant from r0 +
 * `before` on until the one whose byte at `offset` is 0xf2. In DWARF, section 2.5.1.5, this is a loop. */
.macro cfa_by_constants before, offset, step, plus_or_minus, bytes
    .cfi_escape 0x0f, 28, 0x70, (\before) & 0x7f, 0x7d, 0, 0x14, 0x23, \offset, 0x94, 1, 0x08, 0xf2, 0x29, 0x28, 10, 0
    .cfi_escape 0x08, \step, \plus_or_minus, 0x16, 0x23, \step, 0x16, 0x2f, 0xeb, 0xff
    .cfi_escape 0x23, 0x80 | ((\bytes) & 0x7f), (\bytes) >> 7
.endm

/* Between a function and a piece of code behind it that is called with a stack of its own. */
.macro next_frame
    .cfi_endproc
    .cfi_startproc
.endm

#endif
