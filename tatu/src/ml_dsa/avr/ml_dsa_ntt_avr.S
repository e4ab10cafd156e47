/* Transforms and products of ML-DSA's polynomials for AVR (FIPS 204, section 7.5); the C twin is ml_dsa_ntt.c.
 *
 * A coefficient is a number from 0 to q - 1 in three bytes. q = 8380417 is 0x7fe0 * 256 + 1, so a Montgomery reduction
 * goes byte by byte: to take away the lowest byte's multiple of q is to drop the byte and to take away 0x7fe0 times it,
 * two MUL. Three of these divide by R = 2^24. The result lies between -q and q. Twice q is below 2^24: a sum needs no
 * fourth byte.
 *
 * Branches depend on coefficients: only verification is there on an AVR, and all in it is public.
 *
 * How the cycles are spent: docs/reference/kernels/ml-dsa.md. */
#include "../ml_dsa_backend.h"

#if defined(TATU_INTERNAL_ML_DSA_IN_AVR)

#include "../../common/assembly_avr.h"

#define INVERSE_FACTOR 0x0dff80 /* R^2 / 256 mod q */
#define LAST_FACTOR 0x64f700 /* that times the last factor */
#define FIRST_FACTOR 0x047f45 /* R times 1753^128 mod q: that of the first layer */
#define MINUS_FIRST_FACTOR 0x7b60bc

#define HALF_BYTES 384

.macro factors numbers:vararg
    .irp number, \numbers
    .byte \number & 255, \number >> 8 & 255, \number >> 16
    .endr
.endm

    .section .progmem.data.tatu_internal_ml_dsa_zetas,"a",@progbits
/* R times powers of 1753, modulo q (FIPS 204, appendix B), in the order in which the transform of the lower and of the
 * upper half uses them. The inverse of one half goes backwards through those of the other: they are minus its own. */
lower_zetas:
    factors 0x7eb872, 0x5dec1f, 0x73d722, 0x6a813f, 0x6a894a, 0x297025, 0x404ff5, 0x541497, 0x47fda1
    factors 0x2de406, 0x3c27b8, 0x37e99e, 0x2fe2eb, 0x4c14fa, 0x424f34, 0x4c962b, 0x6fe577, 0x19a895
    factors 0x1dae7f, 0x7e4706, 0x69aeb1, 0x15d3c8, 0x28b19f, 0x3d35b6, 0x41c10f, 0x35294b, 0x5f3c5f
    factors 0x003604, 0x59650b, 0x321757, 0x516366, 0x0d40a7, 0x3f58cd, 0x1841c2, 0x7334b9, 0x515577
    factors 0x0932ca, 0x1c9a16, 0x225f30, 0x455b70, 0x470bd8, 0x46aff1, 0x04ef7d, 0x3fbf53, 0x28c593
    factors 0x0fc491, 0x1afb30, 0x073251, 0x3d619f, 0x6407c7, 0x309d4f, 0x2e4718, 0x5a3105, 0x49675b
    factors 0x7b3b55, 0x3ee603, 0x764fa2, 0x626707, 0x046aea, 0x1175cc, 0x160f16, 0x4e88a6, 0x4ed66d
    factors 0x36924b, 0x531f40, 0x161dd9, 0x043942, 0x46bb40, 0x02a19e, 0x304e8c, 0x6eade5, 0x0582b3
    factors 0x3c9606, 0x07eb25, 0x51a13c, 0x2fbe49, 0x01c623, 0x54d87c, 0x10cb06, 0x50f97f, 0x72ff9f
    factors 0x0d0aa1, 0x52f7c0, 0x3e77f0, 0x3ad8a3, 0x7ddfd8, 0x01f787, 0x6f5a21, 0x04cf1b, 0x3e0f81
    factors 0x3d21b0, 0x41395a, 0x14f2bd, 0x36e686, 0x1ec162, 0x73685a, 0x79e5e2, 0x5f42ee, 0x72a211
    factors 0x0cb153, 0x623461, 0x1c935d, 0x6de79a, 0x0da7ff, 0x339c32, 0x62bfbb, 0x47816e, 0x722162
    factors 0x3e038a, 0x579011, 0x5d011b, 0x73a986, 0x210ad5, 0x379a59, 0x37bbdc, 0x3b4371, 0x608466
    factors 0x5a866c, 0x2ce4b7, 0x20e369, 0x727642, 0x60b51f, 0x68500e, 0x0df59e, 0x1c8ce7, 0x3ea2d3
    factors 0x48cfce
upper_zetas:
    factors 0x7e5876, 0x6bd7a2, 0x6deb9f, 0x459e3b, 0x7b351c, 0x5b989b, 0x6c8dc6, 0x14da6e, 0x0c41fb
    factors 0x046985, 0x33c0fd, 0x658171, 0x6ee3f5, 0x7f9d53, 0x1d7ce6, 0x614db3, 0x14e1ab, 0x71193f
    factors 0x5330d0, 0x609d65, 0x744237, 0x51d315, 0x3a29f4, 0x2c0164, 0x32fb5c, 0x44fd50, 0x56a599
    factors 0x662206, 0x67befd, 0x560a1e, 0x693af0, 0x0b4a1c, 0x08020b, 0x746aa5, 0x3c2046, 0x0000ad
    factors 0x20e6f7, 0x5df64e, 0x5327a8, 0x1ac06c, 0x40ef9f, 0x5c023a, 0x1fc66a, 0x4a11f6, 0x1078a8
    factors 0x2f7fb9, 0x7bcce9, 0x49f065, 0x7baac9, 0x1f2877, 0x04e280, 0x364d9d, 0x0ff94b, 0x7d74b4
    factors 0x3706b8, 0x6d783f, 0x0fe3d1, 0x5ddc1a, 0x7eca49, 0x2ec62f, 0x31b848, 0x543381, 0x13b5b8
    factors 0x5656da, 0x339061, 0x43c826, 0x2960a6, 0x7d7785, 0x0c88bc, 0x0c1f1e, 0x18add9, 0x65de3a
    factors 0x79b64b, 0x03e580, 0x544eb2, 0x723bf2, 0x76a96d, 0x140411, 0x702a3f, 0x53cc47, 0x3a967e
    factors 0x249c54, 0x386f5d, 0x3410de, 0x342669, 0x227a35, 0x2c6274, 0x20c72d, 0x71e5fd, 0x7bf9ab
    factors 0x479c1e, 0x2d80fd, 0x330c78, 0x4c3482, 0x614c2d, 0x61b922, 0x639ce6, 0x759da2, 0x1ffc1e
    factors 0x04a0a5, 0x05ef9c, 0x0c9716, 0x78e8f5, 0x5d621e, 0x18144d, 0x28da3d, 0x4c0a27, 0x33d98f
    factors 0x665587, 0x12f746, 0x1240e0, 0x4dbfa8, 0x2853c2, 0x117534, 0x7b3e3e, 0x36752d, 0x7d51b9
    factors 0x6afddd, 0x2b3f06, 0x57e18b, 0x6a2150, 0x58e904, 0x106717, 0x1b3556, 0x4c025f, 0x24e9d7
    factors 0x1917ea
upper_zetas_end:

/* Registers: a coefficient 2 to 4; the product 8 to 13, whose upper half is the result; the factor 16 to 18; the
 * coefficient that is multiplied 22 to 24. */
#define ZERO 5
#define C7F 6
#define CE0 7
#define DISTANCE 19 /* of a butterfly, in coefficients */
#define COUNT 25

/* r13 to r11 = r24 to r22 times r18 to r16 / R, between -q and q: 74 cycles. The upper byte of either is below 0x80,
 * so that two of its products sum up to 16 bits. Changes r20 and r21. */
.macro multiply
    mul 22, 16
    movw 8, r0
    mul 23, 17
    movw 10, r0
    mul 24, 18
    movw 12, r0
    mul 22, 17
    movw 20, r0
    mul 23, 16
    add 20, r0
    adc 21, r1
    adc 11, ZERO
    add 9, 20
    adc 10, 21
    adc 11, ZERO
    mul 22, 18
    movw 20, r0
    mul 24, 16
    add 20, r0
    adc 21, r1
    add 10, 20
    adc 11, 21
    adc 12, ZERO
    adc 13, ZERO
    mul 23, 18
    movw 20, r0
    mul 24, 17
    add 20, r0
    adc 21, r1
    add 11, 20
    adc 12, 21
    adc 13, ZERO
    times_7fe0 8
    sub 9, 20
    sbc 10, 21
    sbc 11, r1
    sbc 12, ZERO
    sbc 13, ZERO
    times_7fe0 9
    sub 10, 20
    sbc 11, 21
    sbc 12, r1
    sbc 13, ZERO
    times_7fe0 10
    sub 11, 20
    sbc 12, 21
    sbc 13, r1
.endm

/* r1:r21:r20 = \byte times (q - 1) / 256 */
.macro times_7fe0 byte
    mul \byte, CE0
    movw 20, r0
    mul \byte, C7F
    add 21, r0
    adc r1, ZERO
.endm

/* += q and -= q: its lowest byte, 1, is the carry */
.macro add_q low, middle, high
    sec
    adc \low, ZERO
    adc \middle, CE0
    adc \high, C7F
.endm

.macro subtract_q low, middle, high
    sec
    sbc \low, ZERO
    sbc \middle, CE0
    sbc \high, C7F
.endm

/* After a subtraction that may have borrowed: up to 0 or more. */
.macro up_if_below_zero low, middle, high
    brcc .Lenough\@
    add_q \low, \middle, \high
.Lenough\@:
.endm

/* A number below 2 q: below q. */
.macro down_below_q low, middle, high
    subtract_q \low, \middle, \high
    up_if_below_zero \low, \middle, \high
.endm

/* The product, whose sign the flags have: from 0 on. */
.macro make_product_positive
    brpl .Lpositive\@
    add_q 11, 12, 13
.Lpositive\@:
.endm

.macro load pointer, low, middle, high
    ld \low, \pointer
    ldd \middle, \pointer+1
    ldd \high, \pointer+2
.endm

.macro load_next pointer, low, middle, high
    ld \low, \pointer+
    ld \middle, \pointer+
    ld \high, \pointer+
.endm

.macro store_next pointer, low, middle, high
    st \pointer+, \low
    st \pointer+, \middle
    st \pointer+, \high
.endm

.macro load_factor number
    ldi 16, lo8(\number)
    ldi 17, hi8(\number)
    ldi 18, hlo8(\number)
.endm

.macro set_constants
    ldi r16, 0x7f
    mov C7F, r16
    ldi r16, 0xe0
    mov CE0, r16
    clr ZERO
.endm

.macro begin name
    .section .text.\name,"ax",@progbits
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

.macro end name
    .cfi_endproc
    .size \name, . - \name
.endm

#define SAVED r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
#define RESTORED r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2

/* ---- transforms: r15:r14 is the address of the next factor, X the end of the half ---- */

/* Y to the beginning of the half */
.macro to_beginning
    movw YL, XL
    subi YL, lo8(HALF_BYTES)
    sbci YH, hi8(HALF_BYTES)
.endm

/* Z to the partner of the coefficient at Y; so many butterflies */
.macro begin_block
    mov ZL, DISTANCE
    lsl ZL
    add ZL, DISTANCE
    clr ZH
    add ZL, YL
    adc ZH, YH
    mov COUNT, DISTANCE
.endm

/* half r25:r24, which r22 */
    begin tatu_internal_ml_dsa_ntt_half
    push_registers SAVED
    set_constants
    movw XL, r24
    subi XL, lo8(-(HALF_BYTES))
    sbci XH, hi8(-(HALF_BYTES))
    ldi ZL, lo8(lower_zetas)
    ldi ZH, hi8(lower_zetas)
    tst r22
    breq 1f
    ldi ZL, lo8(upper_zetas)
    ldi ZH, hi8(upper_zetas)
1:  movw r14, ZL
    ldi DISTANCE, 64
2:  to_beginning
3:  movw ZL, r14
    lpm 16, Z+
    lpm 17, Z+
    lpm 18, Z+
    movw r14, ZL
    begin_block
4:  load Z, 22, 23, 24
    multiply
    make_product_positive
    load Y, 2, 3, 4
    movw 8, 2
    mov 10, 4
    sub 8, 11
    sbc 9, 12
    sbc 10, 13
    up_if_below_zero 8, 9, 10
    store_next Z, 8, 9, 10
    add 2, 11
    adc 3, 12
    adc 4, 13
    down_below_q 2, 3, 4
    store_next Y, 2, 3, 4
    dec COUNT
    breq 5f
    rjmp 4b
5:  movw YL, ZL
    cp YL, XL
    cpc YH, XH
    breq 6f
    rjmp 3b
6:  lsr DISTANCE
    breq 7f
    rjmp 2b
7:  clr r1
    pop_registers RESTORED
    ret
    end tatu_internal_ml_dsa_ntt_half

/* polynomial r25:r24 */
    begin tatu_internal_ml_dsa_inverse_ntt
    push_registers SAVED
    set_constants
    movw XL, r24
    ldi ZL, lo8(upper_zetas_end)
    ldi ZH, hi8(upper_zetas_end)
    movw r14, ZL
1:  subi XL, lo8(-(HALF_BYTES))
    sbci XH, hi8(-(HALF_BYTES))
    ldi DISTANCE, 1
2:  to_beginning
3:  movw ZL, r14
    sbiw ZL, 3
    movw r14, ZL
    lpm 16, Z+
    lpm 17, Z+
    lpm 18, Z
    begin_block
4:  load Z, 22, 23, 24
    load Y, 2, 3, 4
    movw 8, 2
    mov 10, 4
    add 8, 22
    adc 9, 23
    adc 10, 24
    down_below_q 8, 9, 10
    store_next Y, 8, 9, 10
    sub 22, 2
    sbc 23, 3
    sbc 24, 4
    up_if_below_zero 22, 23, 24
    multiply
    make_product_positive
    store_next Z, 11, 12, 13
    dec COUNT
    breq 5f
    rjmp 4b
5:  movw YL, ZL
    cp YL, XL
    cpc YH, XH
    breq 6f
    rjmp 3b
6:  lsl DISTANCE
    brmi 7f
    rjmp 2b
7:  ldi r22, lo8(lower_zetas)
    cp r14, r22
    ldi r22, hi8(lower_zetas)
    cpc r15, r22
    breq 8f
    rjmp 1b
8:  to_beginning                /* the last layer, and the division by 256 */
    movw ZL, YL
    subi YL, lo8(HALF_BYTES)
    sbci YH, hi8(HALF_BYTES)
    ldi COUNT, 128
9:  load Z, 2, 3, 4
    load Y, 22, 23, 24
    sub 2, 22
    sbc 3, 23
    sbc 4, 24
    up_if_below_zero 2, 3, 4
    load Z, 8, 9, 10
    add 22, 8
    adc 23, 9
    adc 24, 10
    down_below_q 22, 23, 24
    load_factor INVERSE_FACTOR
    call multiply_to_positive
    store_next Y, 11, 12, 13
    movw 22, 2
    mov 24, 4
    load_factor LAST_FACTOR
    call multiply_to_positive
    store_next Z, 11, 12, 13
    dec COUNT
    breq 10f
    rjmp 9b
10: clr r1
    pop_registers RESTORED
    ret
    end tatu_internal_ml_dsa_inverse_ntt

/* `multiply`, and the result from 0 to q - 1 */
    .section .text.tatu_internal_ml_dsa_multiply_to_positive,"ax",@progbits
    .type multiply_to_positive, @function
multiply_to_positive:
    .cfi_startproc
    multiply
    make_product_positive
    ret
    end multiply_to_positive

/* ---- products ---- */

/* sum r25:r24, a r23:r22, bytes r21:r20, count r18 */
    begin tatu_internal_ml_dsa_multiply_add_sampled
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r16, r17, r28, r29
    movw YL, r24
    movw ZL, r22
    movw XL, r20
    mov COUNT, r18
    set_constants
    clr r19                     /* so many are below q */
1:  load_next X, 16, 17, 18
    andi 18, 0x7f
    cpi 16, 1
    cpc 17, CE0
    cpc 18, C7F
    brcs 2f
    rjmp 3f
2:  load_next Z, 22, 23, 24
    multiply
    make_product_positive
    load Y, 2, 3, 4
    add 2, 11
    adc 3, 12
    adc 4, 13
    down_below_q 2, 3, 4
    store_next Y, 2, 3, 4
    inc r19
3:  dec COUNT
    breq 4f
    rjmp 1b
4:  mov r24, r19
    clr r1
    pop_registers r29, r28, r17, r16, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    end tatu_internal_ml_dsa_multiply_add_sampled

/* ---- decoding of z ---- */

/* r4 to r2 = gamma_1 minus 18 bits of the nine bytes at \pointer, from 0 to q - 1. \number is 0 to 3. r14 is 2, the
 * upper byte of gamma_1. r19 becomes 0 if the number is too large: if the 18 bits are below 79 or above 2^18 - 79. */
.macro decode pointer, number
    ldd 22, \pointer+2*\number
    ldd 23, \pointer+2*\number+1
    ldd 24, \pointer+2*\number+2
    .rept 2*\number
    lsr 24
    ror 23
    ror 22
    .endr
    andi 24, 3
    mov 20, 23
    or 20, 24
    brne .Lnot_small\@
    cpi 22, 79
    brcc .Lshort\@
    rjmp .Llong\@
.Lnot_small\@:
    cpi 23, 0xff
    brne .Lshort\@
    cpi 24, 3
    brne .Lshort\@
    cpi 22, 0xb2
    brcs .Lshort\@
.Llong\@:
    clr r19
.Lshort\@:
    clr 2
    clr 3
    mov 4, r14
    sub 2, 22
    sbc 3, 23
    sbc 4, 24
    up_if_below_zero 2, 3, 4
.endm

/* half r25:r24, lower r23:r22, upper r21:r20, which r18 */
    begin tatu_internal_ml_dsa_decode_z_half
    push_registers SAVED
    movw XL, r24
    movw YL, r22
    movw ZL, r20
    mov r15, r18
    set_constants
    ldi r16, 2
    mov r14, r16
    ldi r19, 1
    load_factor FIRST_FACTOR
    tst r15
    breq 1f
    load_factor MINUS_FIRST_FACTOR
1:  ldi COUNT, 4
2:  .irp number, 0, 1, 2, 3
    decode Z, \number
    movw 22, 2
    mov 24, 4
    call multiply_to_positive
    decode Y, \number
    add 2, 11
    adc 3, 12
    adc 4, 13
    down_below_q 2, 3, 4
    store_next X, 2, 3, 4
    .endr
    adiw YL, 9
    adiw ZL, 9
    dec COUNT
    breq 3f
    rjmp 2b
3:  mov r24, r19
    clr r1
    pop_registers RESTORED
    ret
    end tatu_internal_ml_dsa_decode_z_half

/* ---- the product with the challenge ---- */

/* For as many positions at X as r20 says: the number r3:r2 is added at its place times x^position, or subtracted. */
.macro add_at_positions add, adc, subtract, sbc
    tst r20
    breq 3f
1:  ld r21, X+
    add r21, r18
    brcs 2f
    mul r21, r19
    movw ZL, r0
    add ZL, YL
    adc ZH, YH
    ld r22, Z
    ldd r23, Z+1
    \add r22, r2
    \adc r23, r3
    st Z, r22
    std Z+1, r23
    dec r20
    brne 1b
    rjmp 3f
2:  mul r21, r19                /* x^256 = -1 */
    movw ZL, r0
    add ZL, YL
    adc ZH, YH
    ld r22, Z
    ldd r23, Z+1
    \subtract r22, r2
    \sbc r23, r3
    st Z, r22
    std Z+1, r23
    dec r20
    brne 1b
3:
.endm

/* products r25:r24, bytes r23:r22, first r20, positions r19:r18, pluses r16, minuses r14 */
    begin tatu_internal_ml_dsa_multiply_add_sparse
    push_registers r2, r3, r6, r7, r8, r9, r10, r28, r29
    movw YL, r24
    movw r6, r18
    movw ZL, r22
    mov r18, r20
    ldi r19, 2
    ldi r24, 4                  /* so many numbers are left */
    clr r10                     /* the shift of the number */
4:  ld r2, Z+
    ld r3, Z
    movw r8, ZL
    mov r25, r10
    tst r25
    breq 6f
5:  lsr r3
    ror r2
    dec r25
    brne 5b
6:  ldi r25, 3
    and r3, r25
    movw XL, r6
    mov r20, r16
    add_at_positions add, adc, sub, sbc
    mov r20, r14
    add_at_positions sub, sbc, add, adc
    movw ZL, r8
    inc r10
    inc r10
    inc r18
    dec r24
    breq 7f
    rjmp 4b
7:  clr r1
    pop_registers r29, r28, r10, r9, r8, r7, r6, r3, r2
    ret
    end tatu_internal_ml_dsa_multiply_add_sparse

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
