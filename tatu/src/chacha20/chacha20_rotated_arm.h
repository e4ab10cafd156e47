/* Additions and exclusive-ors that rotate their last operand with the shifter of 32-bit Arm. */
#ifndef TATU_CHACHA20_ROTATED_ARM_H
#define TATU_CHACHA20_ROTATED_ARM_H

.macro add_rotated sum, word, bits
    .if (\bits) % 32
    add \sum, \sum, \word, ror #((\bits) % 32)
    .else
    add \sum, \sum, \word
    .endif
.endm

.macro exclusive_or_rotated word, other, bits
    .if (\bits) % 32
    eor \word, \word, \other, ror #((\bits) % 32)
    .else
    eor \word, \word, \other
    .endif
.endm

/* Words of a block: the initial ones (r12) added, and added to the input (lr) if there is one (the flags say so);
 * then stored (r10). */
.macro finish word0, word1, offset
    ldr r8, [r12, #\offset]
    ldr r9, [r12, #\offset + 4]
    add \word0, \word0, r8
    add \word1, \word1, r9
    itttt ne
    ldrne r8, [lr, #\offset]
    ldrne r9, [lr, #\offset + 4]
    eorne \word0, \word0, r8
    eorne \word1, \word1, r9
    str \word0, [r10, #\offset]
    str \word1, [r10, #\offset + 4]
.endm

#endif
