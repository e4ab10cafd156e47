/* The inverse S-box of AES as a circuit: the middle of <aes_substitute_circuit.h> between other linear layers. */
#ifndef TATU_AES_INVERSE_SUBSTITUTE_CIRCUIT_H
#define TATU_AES_INVERSE_SUBSTITUTE_CIRCUIT_H

#include "aes_substitute_circuit.h"

/* InvSubBytes (FIPS 197, section 5.3.2) of bytes to which the S-box's constant 0x63 has been added already. The
 * S-box is A(1/x) with A linear, the inverse S-box 1/A'(x), where A' undoes A; 1/x is A'(S(x)). So Boyar and
 * Peralta's circuit serves with A' put before its first layer and behind its last. These two layers were found anew,
 * by their heuristic and by Paar's (C. Paar, "Optimized arithmetic for Reed-Solomon encoders", ISIT 1997) with ties
 * broken at random. y0 is what x7 is there. */
static inline void tatu_internal_aes_planes_inverse_substitute_without_constant(struct tatu_internal_aes_planes *planes)
{
    const uint32_t x0 = planes->plane[7], x1 = planes->plane[6], x2 = planes->plane[5], x3 = planes->plane[4];
    const uint32_t x4 = planes->plane[3], x5 = planes->plane[2], x6 = planes->plane[1], x7 = planes->plane[0];

    const uint32_t y19 = x7 ^ x4;
    const uint32_t y3 = x3 ^ x0;
    const uint32_t y9 = x4 ^ x3;
    const uint32_t y1 = x7 ^ y9;
    const uint32_t y13 = x6 ^ y1;
    const uint32_t y18 = x2 ^ y9;
    const uint32_t y8 = x1 ^ x0;
    const uint32_t y10 = y19 ^ y8;
    const uint32_t y5 = x3 ^ x1;
    const uint32_t y2 = y13 ^ y5;
    const uint32_t y6 = x3 ^ y8;
    const uint32_t y4 = y9 ^ y2;
    const uint32_t y12 = y3 ^ y4;
    const uint32_t y14 = x4 ^ y6;
    const uint32_t y7 = x2 ^ y4;
    const uint32_t y16 = y1 ^ y7;
    const uint32_t y21 = x6 ^ y7;
    const uint32_t a0 = x0 ^ x5;
    const uint32_t y0 = x2 ^ a0;
    const uint32_t y20 = y2 ^ a0;
    const uint32_t y11 = y9 ^ y20;
    const uint32_t y17 = y10 ^ y11;
    const uint32_t y15 = y6 ^ y0;

#include "aes_inversion_circuit.inc"

    const uint32_t b0 = z6 ^ z15;
    const uint32_t b1 = z13 ^ b0;
    const uint32_t b2 = z12 ^ b1;
    const uint32_t b3 = z16 ^ b2;
    const uint32_t b4 = z3 ^ z4;
    const uint32_t b5 = z2 ^ z10;
    const uint32_t b6 = z8 ^ b3;
    const uint32_t b7 = z9 ^ z17;
    const uint32_t b8 = z14 ^ b4;
    const uint32_t b9 = z8 ^ b8;
    const uint32_t b10 = z0 ^ z4;
    const uint32_t b11 = b5 ^ b9;
    const uint32_t b12 = z5 ^ b6;
    const uint32_t b13 = z1 ^ b11;
    const uint32_t o7 = z3 ^ b12;
    const uint32_t b14 = z5 ^ b5;
    const uint32_t b15 = z11 ^ b0;
    const uint32_t b16 = z7 ^ z17;
    const uint32_t b17 = b13 ^ b15;
    const uint32_t b18 = b10 ^ b14;
    const uint32_t b19 = z11 ^ b16;
    const uint32_t b20 = z11 ^ z15;
    const uint32_t b21 = z1 ^ b10;
    const uint32_t o0 = b7 ^ b20;
    const uint32_t b22 = b3 ^ b4;
    const uint32_t b23 = z2 ^ b6;
    const uint32_t o4 = z0 ^ b23;
    const uint32_t b24 = b7 ^ b13;
    const uint32_t b25 = z12 ^ b17;
    const uint32_t o1 = z7 ^ b22;
    const uint32_t b26 = b18 ^ b19;
    const uint32_t o5 = z16 ^ b25;
    const uint32_t o3 = b2 ^ b26;
    const uint32_t o6 = b1 ^ b24;
    const uint32_t o2 = b12 ^ b21;

    planes->plane[7] = o7;
    planes->plane[6] = o6;
    planes->plane[5] = o5;
    planes->plane[4] = o4;
    planes->plane[3] = o3;
    planes->plane[2] = o2;
    planes->plane[1] = o1;
    planes->plane[0] = o0;
}

#endif
