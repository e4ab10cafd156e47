/* What assembly files for AVR share: saving and restoring registers. avr-gcc's ABI lets a function change r0, r18 to
 * r27, r30 and r31, and wants r1 to be zero. */
#ifndef TATU_COMMON_ASSEMBLY_AVR_H
#define TATU_COMMON_ASSEMBLY_AVR_H

; What a debugger needs stays out of the device's flash, where .eh_frame would be.
    .cfi_sections .debug_frame

; What a debugger is told of a push and of a pop: the caller's stack is one byte further away or nearer, and a register
; that the caller wants back lies there or is back. SP is below the byte that was pushed.
.macro describe_push register
    .cfi_adjust_cfa_offset 1
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    .ifc \register, r\number
    .cfi_rel_offset \number, 1
    .endif
    .endr
.endm

.macro describe_pop register
    .cfi_adjust_cfa_offset -1
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    .ifc \register, r\number
    .cfi_same_value \number
    .endif
    .endr
.endm

; What was pushed or popped otherwise: in a loop, or by the function that jumps to this one.
.macro pushed_before registers:vararg
    .irp register, \registers
    describe_push \register
    .endr
.endm

#if defined(__AVR_3_BYTE_PC__)
#define TATU_INTERNAL_RETURN_BYTES 3
#else
#define TATU_INTERNAL_RETURN_BYTES 2
#endif

; The return address, \pushed bytes and, below them, a table of as many bytes as \register says: the caller's stack is
; at SP + (return address + \pushed) + (\register & 255), as an expression (DWARF 5, sections 2.5 and 6.4.2.2):
; bregx SP, breg, const1u 255, and, plus. \pushed is below 60. A loop that frees the table says so after each pop.
.macro table_pushed register, pushed
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
    .ifc \register, r\number
    .cfi_escape 0x0f, 9, 0x92, 32, TATU_INTERNAL_RETURN_BYTES + \pushed, 0x70 + \number, 0, 0x08, 0xff, 0x1a, 0x22
    .endif
    .endr
.endm

; The same if \register has the lower half of the address behind the table:
; bregx SP, breg, bregx SP + 1, minus, const1u 255, and, plus. It holds for each length of the table.
.macro table_pushed_up_to register, pushed
    .irp number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    .ifc \register, r\number
    .cfi_escape 0x0f, 13, 0x92, 32, TATU_INTERNAL_RETURN_BYTES + \pushed, 0x70 + \number, 0
    .cfi_escape 0x92, 32, 1, 0x1c, 0x08, 0xff, 0x1a, 0x22
    .endif
    .endr
.endm

; While a loop pushes the table and \left counts down to 0 from what \register keeps, above \pushed bytes:
; bregx SP, breg, breg, minus, const1u 255, and, plus.
.macro table_being_pushed register, left, pushed
    .cfi_escape 0x0f, 12, 0x92, 32, TATU_INTERNAL_RETURN_BYTES + \pushed
    .irp number, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    .ifc \register, r\number
    .cfi_escape 0x70 + \number, 0
    .endif
    .endr
    .irp number, 1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    .ifc \left, r\number
    .cfi_escape 0x70 + \number, 0
    .endif
    .endr
    .cfi_escape 0x1c, 0x08, 0xff, 0x1a, 0x22
.endm

; Pushes the \count bytes below \pointer from their end, so that they lie on the stack in order. \left is \count at
; first, and 0 in the end.
.macro push_table pointer, byte, left, count, pushed
    table_being_pushed \count, \left, \pushed
1:  ld \byte, -\pointer
    push \byte
    table_being_pushed \count, \left, \pushed + 1
    dec \left
    table_being_pushed \count, \left, \pushed
    brne 1b
    table_pushed \count, \pushed
.endm

; Pushes r0 to r17 in a loop, of which X, their address, is the count. XH stays zero.
.macro push_r0_to_r17
    clr XL
    clr XH
    table_pushed r26, 0
1:  ld r0, X+
    table_pushed r26, -1
    push r0
    table_pushed r26, 0
    cpi XL, 18
    brne 1b
    table_popped 0
    pushed_before r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
.endm

; The caller's stack is at SP + (return address + \most) - r24: bregx SP, breg24, const1u 255, and, minus.
.macro wiped_up_to_r24 most
    .cfi_escape 0x0f, 9, 0x92, 32, TATU_INTERNAL_RETURN_BYTES + \most, 0x70 + 24, 0, 0x08, 0xff, 0x1a, 0x1c
.endm

; Pops r17 to r0 in a loop, of which X, their address, is the count. While it runs, the table has the places of these
; registers on the stack, also of those that are back.
.macro pop_r17_to_r0
    ldi XL, 18
    table_pushed r26, 0
1:  pop ZL
    table_pushed r26, -1
    st -X, ZL
    table_pushed r26, 0
    cpi XL, 0
    brne 1b
    table_popped 18
    popped_before r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2, r1, r0
.endm

; Wipes \count bytes below the stack pointer, which has \pushed bytes above it up to the return address. r1 is zero.
.macro wipe_below_stack count, pushed
    ldi r24, \count
    wiped_up_to_r24 \count + \pushed
1:  push r1
    wiped_up_to_r24 \count + \pushed + 1
    dec r24
    wiped_up_to_r24 \count + \pushed
    brne 1b
    ldi r24, \count
    table_pushed r24, \pushed
2:  pop r0
    table_pushed r24, \pushed - 1
    dec r24
    table_pushed r24, \pushed
    brne 2b
    table_popped \pushed
.endm

.macro table_popped pushed
    .cfi_def_cfa 32, TATU_INTERNAL_RETURN_BYTES + \pushed
.endm

.macro popped_before registers:vararg
    .irp register, \registers
    describe_pop \register
    .endr
.endm

; Pushes the registers in the order in which they are listed. They hold what the caller had in them, or are not the
; caller's to keep.
.macro push_registers registers:vararg
    .irp register, \registers
    push \register
    describe_push \register
    .endr
.endm

; Pops the registers in the order in which they are listed: the reverse of the order in which they were pushed.
.macro pop_registers registers:vararg
    .irp register, \registers
    pop \register
    describe_pop \register
    .endr
.endm

; The same for values of the function's own, in any registers.
.macro push_values registers:vararg
    .irp register, \registers
    push \register
    .cfi_adjust_cfa_offset 1
    .endr
.endm

.macro pop_values registers:vararg
    .irp register, \registers
    pop \register
    .cfi_adjust_cfa_offset -1
    .endr
.endm

#endif
