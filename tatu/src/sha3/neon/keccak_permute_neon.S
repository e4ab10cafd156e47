/* Keccak-f[1600] with NEON, for AArch32 (FIPS 202, section 3.3); the C twins are keccak_permute.c and sponge.c.
 *
 *     void tatu_internal_keccak_permute(uint64_t lanes[25]);
 *     size_t tatu_internal_keccak_absorb(uint64_t lanes[25], const uint8_t *input, size_t length, size_t rate_bytes);
 *
 * The second adds whole blocks of the input to the state, and permutes after each. Between blocks the lanes stay in
 * registers. The length is at least one block of 72, 136 or 168 bytes; what is left of it is returned.
 *
 * All lanes are in registers, those of rows 0 and 1, and of rows 2 and 3, side by side: chi and half of theta's sums
 * take two rows at once, where 128 bits are as fast as 64 (Cortex-A8). A rotation is VSHL and VSRI. It also moves
 * the lane to its place by pi: a lane goes to where one was that has left. The cycle of 24 is cut into two that take
 * turns, since results are there after three cycles.
 *
 * How the cycles are spent: docs/reference/kernels/sha3.md. */
#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_NEON)

#include "../../common/assembly_address_arm.h"
#include "../../common/assembly_frames_arm.h"

    .syntax unified
    .fpu neon
    .arm

#define ROUNDS 24

    .section .rodata.tatu_internal_keccak_round_constants,"a",%progbits
    .balign 8
/* Section 3.2.5 */
round_constants:
    .quad 0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000
    .quad 0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009
    .quad 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a
    .quad 0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003
    .quad 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a
    .quad 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008

    .section .text.tatu_internal_keccak_permute,"ax",%progbits
    .balign 16
    .global tatu_internal_keccak_permute
    .hidden tatu_internal_keccak_permute
    .type tatu_internal_keccak_permute, %function
    .global tatu_internal_keccak_absorb
    .hidden tatu_internal_keccak_absorb
    .type tatu_internal_keccak_absorb, %function
tatu_internal_keccak_permute:
    .cfi_startproc
    mov r3, #1
    mov r2, #0
    adds r2, r2, #0 /* no carry */
    b load_state
tatu_internal_keccak_absorb:
    subs r2, r2, r3 /* carry */
load_state:
    vpush {d8-d15}
    pushed_d8_to_d15
    vldr d0, [r0, #0]
    vldr d2, [r0, #8]
    vldr d4, [r0, #16]
    vldr d6, [r0, #24]
    vldr d8, [r0, #32]
    vldr d1, [r0, #40]
    vldr d3, [r0, #48]
    vldr d5, [r0, #56]
    vldr d7, [r0, #64]
    vldr d9, [r0, #72]
    vldr d10, [r0, #80]
    vldr d12, [r0, #88]
    vldr d14, [r0, #96]
    vldr d16, [r0, #104]
    vldr d18, [r0, #112]
    vldr d11, [r0, #120]
    vldr d13, [r0, #128]
    vldr d15, [r0, #136]
    vldr d17, [r0, #144]
    vldr d19, [r0, #152]
    vldr d20, [r0, #160]
    vldr d21, [r0, #168]
    vldr d22, [r0, #176]
    vldr d23, [r0, #184]
    vldr d24, [r0, #192]
    load_address r12, round_constants, 8
    blo permute
add_block:
    vld1.8 {d25-d28}, [r1]!
    vld1.8 {d29-d31}, [r1]!
    veor d0, d0, d25
    veor d2, d2, d26
    veor d4, d4, d27
    veor d6, d6, d28
    vld1.8 {d25-d26}, [r1]!
    veor d8, d8, d29
    veor d1, d1, d30
    veor d3, d3, d31
    tst r3, #64 /* of the three rates, that of nine lanes alone */
    veor d5, d5, d25
    veor d7, d7, d26
    bne permute
    vld1.8 {d27-d30}, [r1]!
    vld1.8 {d25-d26}, [r1]!
    veor d9, d9, d27
    veor d10, d10, d28
    veor d12, d12, d29
    veor d14, d14, d30
    vld1.8 {d27-d28}, [r1]!
    veor d16, d16, d25
    veor d18, d18, d26
    tst r3, #32 /* that of 21 lanes alone */
    veor d11, d11, d27
    veor d13, d13, d28
    beq permute
    vld1.8 {d25-d28}, [r1]!
    veor d15, d15, d25
    veor d17, d17, d26
    veor d19, d19, d27
    veor d20, d20, d28
permute:
    add r3, r3, #(ROUNDS - 1) << 24 /* the number of rounds to come after this one stands in its highest byte */
    .balign 16
one_round:
    /* The order is a list scheduler's, for results that are there after four cycles, or five if of 128 bits: by its
     * count 131 cycles a round on a Cortex-A8 and 164 on a Cortex-A7. What each is for stands beside it:
     *   sum       theta's sums of columns (FIPS 202, section 3.2.1): of column 0 to 4 in d25, d26, d27, d28 and d30
     *   change    of each column: the sum of the column before, and that of the column behind rotated by one; in d28,
 *                 d29, d25, d26 and d31
     *   theta     the change of its column is added to a lane
     *   rho, pi   sections 3.2.2 and 3.2.3; rotations by bytes are VEXT
     *   chi       section 3.2.4
     *   iota      section 3.2.5, of row 0 alone */
    veor q13, q0, q5                /* sum */
    veor q14, q2, q7                /* sum */
    veor q15, q4, q9                /* sum */
    veor d25, d26, d27              /* sum */
    veor q13, q1, q6                /* sum */
    veor d30, d30, d31              /* sum */
    veor d25, d25, d20              /* sum */
    veor d26, d26, d27              /* sum */
    veor d27, d28, d29              /* sum */
    veor q14, q3, q8                /* sum */
    vadd.i64 d31, d25, d25          /* change */
    veor d27, d27, d22              /* sum */
    veor d26, d26, d21              /* sum */
    veor d28, d28, d29              /* sum */
    vsri.64 d31, d25, #63           /* change */
    vadd.i64 d29, d27, d27          /* change */
    veor d30, d30, d24              /* sum */
    veor d28, d28, d23              /* sum */
    vsri.64 d29, d27, #63           /* change */
    veor d31, d31, d28              /* change */
    veor d29, d29, d25              /* change */
    vadd.i64 d25, d28, d28          /* change */
    veor d18, d18, d31              /* theta */
    veor d19, d19, d31              /* theta */
    veor d13, d13, d29              /* theta */
    vsri.64 d25, d28, #63           /* change */
    vadd.i64 d28, d26, d26          /* change */
    veor d12, d12, d29              /* theta */
    veor d8, d8, d31                /* theta */
    veor d25, d25, d26              /* change */
    vsri.64 d28, d26, #63           /* change */
    vadd.i64 d26, d30, d30          /* change */
    veor d24, d24, d31              /* theta */
    veor d4, d4, d25                /* theta */
    veor d28, d28, d30              /* change */
    vsri.64 d26, d30, #63           /* change */
    vshl.i64 d30, d18, #39          /* rho, pi */
    veor d14, d14, d25              /* theta */
    veor d20, d20, d28              /* theta */
    veor d26, d26, d27              /* change */
    veor d1, d1, d28                /* theta */
    vsri.64 d30, d18, #25           /* rho, pi */
    vshl.i64 d18, d20, #18          /* rho, pi */
    veor d7, d7, d26                /* theta */
    veor d6, d6, d26                /* theta */
    veor d17, d17, d26              /* theta */
    vsri.64 d18, d20, #46           /* rho, pi */
    vshl.i64 d27, d7, #55           /* rho, pi */
    vshl.i64 d20, d4, #62           /* rho, pi */
    veor d15, d15, d25              /* theta */
    veor d16, d16, d26              /* theta */
    vsri.64 d27, d7, #9             /* rho, pi */
    vshl.i64 d7, d13, #45           /* rho, pi */
    vsri.64 d20, d4, #2             /* rho, pi */
    vshl.i64 d4, d14, #43           /* rho, pi */
    veor d23, d23, d26              /* theta */
    vsri.64 d7, d13, #19            /* rho, pi */
    vshl.i64 d13, d1, #36           /* rho, pi */
    vsri.64 d4, d14, #21            /* rho, pi */
    vshl.i64 d14, d16, #25          /* rho, pi */
    veor d11, d11, d28              /* theta */
    vsri.64 d13, d1, #28            /* rho, pi */
    vshl.i64 d1, d6, #28            /* rho, pi */
    vsri.64 d14, d16, #39           /* rho, pi */
    vext.8 d16, d19, d19, #7        /* rho, pi */
    veor d5, d5, d25                /* theta */
    vsri.64 d1, d6, #36             /* rho, pi */
    vshl.i64 d6, d17, #21           /* rho, pi */
    vext.8 d19, d23, d23, #1        /* rho, pi */
    vshl.i64 d23, d11, #41          /* rho, pi */
    veor d10, d10, d28              /* theta */
    vsri.64 d6, d17, #43            /* rho, pi */
    vshl.i64 d17, d15, #15          /* rho, pi */
    vsri.64 d23, d11, #23           /* rho, pi */
    vshl.i64 d11, d8, #27           /* rho, pi */
    veor d2, d2, d29                /* theta */
    vsri.64 d17, d15, #49           /* rho, pi */
    vshl.i64 d15, d12, #10          /* rho, pi */
    vsri.64 d11, d8, #37            /* rho, pi */
    vshl.i64 d8, d24, #14           /* rho, pi */
    veor d21, d21, d29              /* theta */
    vsri.64 d15, d12, #54           /* rho, pi */
    vshl.i64 d12, d5, #6            /* rho, pi */
    veor d3, d3, d29                /* theta */
    vsri.64 d8, d24, #50            /* rho, pi */
    vshl.i64 d24, d21, #2           /* rho, pi */
    vsri.64 d12, d5, #58            /* rho, pi */
    vshl.i64 d5, d10, #3            /* rho, pi */
    veor d9, d9, d31                /* theta */
    veor d22, d22, d25              /* theta */
    vsri.64 d24, d21, #62           /* rho, pi */
    vsri.64 d5, d10, #61            /* rho, pi */
    vshl.i64 d10, d2, #1            /* rho, pi */
    vbic d25, d30, d27              /* chi */
    veor d0, d0, d28                /* theta */
    vbic d26, d27, d20              /* chi */
    vsri.64 d10, d2, #63            /* rho, pi */
    vshl.i64 d2, d3, #44            /* rho, pi */
    vbic d28, d20, d24              /* chi */
    veor d20, d20, d25              /* chi */
    vbic d25, d23, d30              /* chi */
    vsri.64 d2, d3, #20             /* rho, pi */
    vshl.i64 d3, d9, #20            /* rho, pi */
    veor d21, d27, d25              /* chi */
    vbic d25, d24, d23              /* chi */
    vsri.64 d3, d9, #44             /* rho, pi */
    vshl.i64 d9, d22, #61           /* rho, pi */
    veor d24, d24, d26              /* chi */
    veor d23, d23, d28              /* chi */
    vbic q13, q2, q1                /* chi */
    vsri.64 d9, d22, #3             /* rho, pi */
    veor d22, d30, d25              /* chi */
    vbic q14, q1, q0                /* chi */
    vbic q15, q0, q4                /* chi */
    veor q0, q0, q13                /* chi */
    vbic q13, q3, q2                /* chi */
    vld1.64 {d25}, [r12]!           /* iota */
    veor q1, q1, q13                /* chi */
    vbic q13, q4, q3                /* chi */
    veor q4, q4, q14                /* chi */
    veor q3, q3, q15                /* chi */
    veor q2, q2, q13                /* chi */
    vbic q13, q7, q6                /* chi */
    vbic q14, q6, q5                /* chi */
    vbic q15, q5, q9                /* chi */
    veor q5, q5, q13                /* chi */
    vbic q13, q8, q7                /* chi */
    veor d0, d0, d25                /* iota */
    veor q6, q6, q13                /* chi */
    vbic q13, q9, q8                /* chi */
    veor q9, q9, q14                /* chi */
    veor q8, q8, q15                /* chi */
    veor q7, q7, q13                /* chi */
    subs r3, r3, #1 << 24
    bhs one_round
    add r3, r3, #1 << 24
    sub r12, r12, #ROUNDS * 8
    subs r2, r2, r3
    bhs add_block

    vstr d0, [r0, #0]
    vstr d2, [r0, #8]
    vstr d4, [r0, #16]
    vstr d6, [r0, #24]
    vstr d8, [r0, #32]
    vstr d1, [r0, #40]
    vstr d3, [r0, #48]
    vstr d5, [r0, #56]
    vstr d7, [r0, #64]
    vstr d9, [r0, #72]
    vstr d10, [r0, #80]
    vstr d12, [r0, #88]
    vstr d14, [r0, #96]
    vstr d16, [r0, #104]
    vstr d18, [r0, #112]
    vstr d11, [r0, #120]
    vstr d13, [r0, #128]
    vstr d15, [r0, #136]
    vstr d17, [r0, #144]
    vstr d19, [r0, #152]
    vstr d20, [r0, #160]
    vstr d21, [r0, #168]
    vstr d22, [r0, #176]
    vstr d23, [r0, #184]
    vstr d24, [r0, #192]
    vpop {d8-d15}
    popped_d8_to_d15
    add r0, r2, r3
    bx lr
    .cfi_endproc
    .size tatu_internal_keccak_absorb, . - tatu_internal_keccak_absorb
    .size tatu_internal_keccak_permute, . - tatu_internal_keccak_permute
    address_constant round_constants

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
