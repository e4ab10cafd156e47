/* SHA-256's compression function for AArch64 without instructions for it (FIPS 180-4, section 6.2.2); the C twin is
 * sha256_compress.c.
 *
 *     void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);
 *
 * All is in registers: a..h, the last 16 words of the message schedule, W[t] in the place of W[t-16], and five
 * temporaries:
 *   u, v            u is b ^ c, which the round before made as its a ^ b; v is the round constant, then the next
 *   round's u
 *   t0..t2          temporaries
 *
 * A round is three sums that have nothing to do with one another: sigma1 and Ch for the new e, sigma0 and Maj for
 * the new a, and W[t+16]. Their instructions take turns, so that none of them waits for the one before it and a core
 * that issues two a cycle in order, like the Cortex-A53, always finds two. Rotations are shifted operands of EOR,
 * with zero where there is nothing to add: ROR is EXTR, which issues alone there.
 *
 * x18 belongs to the platform (AAPCS64, section 6.1.1). How the cycles are spent: docs/reference/kernels/sha256.md. */
#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_AARCH64)

#include "../../common/assembly_aarch64.h"

#define FRAME_HASH  0
#define FRAME_SAVED 16
#define FRAME_BYTES 112

    k .req x0
    t0 .req w27
    t1 .req w28
    t2 .req w30

    .section .rodata.tatu_internal_sha256_round_constants,"a",%progbits
    .balign 256
    .space 64 /* so that rounds 0 to 47 end where the low byte of the address is 0 */
/* Section 4.2.2 */
round_constants:
    .long 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
    .long 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
    .long 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
    .long 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
    .long 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
    .long 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
    .long 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
    .long 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

/* Round t, and W[t+16] in the place of W[t]. w1, w9 and w14 are W[t+1], W[t+9] and W[t+14]. Maj = ((a ^ b) & (b ^
 * c)) ^ b. */
.macro round i, a, b, c, d, e, f, g, h, u, v, w0, w1, w9, w14
    ldr \v, [k, #4 * \i]
    add \h, \h, \w0
    eor t0, wzr, \e, ror #6
    and t1, \e, \f
    bic t2, \g, \e
    eor t0, t0, \e, ror #11
    add \h, \h, t1
    eor t0, t0, \e, ror #25
    add \h, \h, t2
    eor t1, wzr, \w1, ror #7
    add \h, \h, \v
    eor t2, wzr, \w14, ror #17
    add \h, \h, t0
    eor t1, t1, \w1, ror #18
    add \w0, \w0, \w9
    eor t2, t2, \w14, ror #19
    add \d, \d, \h
    eor t1, t1, \w1, lsr #3
    eor \v, \a, \b
    eor t2, t2, \w14, lsr #10
    eor t0, wzr, \a, ror #2
    add \w0, \w0, t1
    and \u, \u, \v
    eor t0, t0, \a, ror #13
    add \w0, \w0, t2
    eor \u, \u, \b
    eor t0, t0, \a, ror #22
    add \h, \h, \u
    add \h, \h, t0
.endm

/* One of the last 16 rounds, which need no more words. */
.macro last_round i, a, b, c, d, e, f, g, h, u, v, w0, w1, w9, w14
    ldr \v, [k, #4 * \i]
    add \h, \h, \w0
    eor t0, wzr, \e, ror #6
    and t1, \e, \f
    bic t2, \g, \e
    eor t0, t0, \e, ror #11
    add \h, \h, t1
    eor t1, wzr, \a, ror #2
    add \h, \h, t2
    eor t0, t0, \e, ror #25
    add \h, \h, \v
    eor t1, t1, \a, ror #13
    eor \v, \a, \b
    add \h, \h, t0
    and \u, \u, \v
    eor t1, t1, \a, ror #22
    add \d, \d, \h
    eor \u, \u, \b
    add \h, \h, t1
    add \h, \h, \u
.endm

.macro two_rounds do, i, a, b, c, d, e, f, g, h, w0, w1, w2, w9, w10, w14, w15
    \do \i, \a, \b, \c, \d, \e, \f, \g, \h, w25, w26, \w0, \w1, \w9, \w14
    \do (\i + 1), \h, \a, \b, \c, \d, \e, \f, \g, w26, w25, \w1, \w2, \w10, \w15
.endm

.macro sixteen_rounds do
    two_rounds \do, 0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w19, w20, w24, w29
    two_rounds \do, 2, w7, w8, w1, w2, w3, w4, w5, w6, w11, w12, w13, w21, w22, w9, w10
    two_rounds \do, 4, w5, w6, w7, w8, w1, w2, w3, w4, w13, w14, w15, w23, w24, w11, w12
    two_rounds \do, 6, w3, w4, w5, w6, w7, w8, w1, w2, w15, w16, w17, w29, w9, w13, w14
    two_rounds \do, 8, w1, w2, w3, w4, w5, w6, w7, w8, w17, w19, w20, w10, w11, w15, w16
    two_rounds \do, 10, w7, w8, w1, w2, w3, w4, w5, w6, w20, w21, w22, w12, w13, w17, w19
    two_rounds \do, 12, w5, w6, w7, w8, w1, w2, w3, w4, w22, w23, w24, w14, w15, w20, w21
    two_rounds \do, 14, w3, w4, w5, w6, w7, w8, w1, w2, w24, w29, w9, w16, w17, w22, w23
.endm

    .section .text.tatu_internal_sha256_compress,"ax",%progbits
    .balign 16
    .global tatu_internal_sha256_compress
    .hidden tatu_internal_sha256_compress
    .type tatu_internal_sha256_compress, %function
tatu_internal_sha256_compress:
    .cfi_startproc
    enter
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str x0, [sp, #FRAME_HASH]
    save_registers FRAME_SAVED
    ldp w9, w10, [x1]
    ldp w11, w12, [x1, #8]
    ldp w13, w14, [x1, #16]
    ldp w15, w16, [x1, #24]
    ldp w17, w19, [x1, #32]
    ldp w20, w21, [x1, #40]
    ldp w22, w23, [x1, #48]
    ldp w24, w29, [x1, #56]
    .irp word, w9, w10, w11, w12, w13, w14, w15, w16, w17, w19, w20, w21, w22, w23, w24, w29
    rev \word, \word
    .endr
    ldp w1, w2, [x0]
    ldp w3, w4, [x0, #8]
    ldp w5, w6, [x0, #16]
    ldp w7, w8, [x0, #24]
    adrp k, round_constants
    add k, k, :lo12:round_constants
    eor w25, w2, w3
    .balign 16
rounds:
    sixteen_rounds round
    add k, k, #64
    tst k, #0xff
    b.ne rounds
    sixteen_rounds last_round

    ldr x0, [sp, #FRAME_HASH]
    ldp w9, w10, [x0]
    ldp w11, w12, [x0, #8]
    ldp w13, w14, [x0, #16]
    ldp w15, w16, [x0, #24]
    add w1, w1, w9
    add w2, w2, w10
    add w3, w3, w11
    add w4, w4, w12
    add w5, w5, w13
    add w6, w6, w14
    add w7, w7, w15
    add w8, w8, w16
    stp w1, w2, [x0]
    stp w3, w4, [x0, #8]
    stp w5, w6, [x0, #16]
    stp w7, w8, [x0, #24]
    restore_registers FRAME_SAVED
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -FRAME_BYTES
    leave
    .cfi_endproc
    .size tatu_internal_sha256_compress, . - tatu_internal_sha256_compress

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
