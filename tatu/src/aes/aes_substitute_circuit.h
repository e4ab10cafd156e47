/* The S-box of AES as a circuit, for devices with a data cache, where a table would leak through it. */
#ifndef TATU_AES_SUBSTITUTE_CIRCUIT_H
#define TATU_AES_SUBSTITUTE_CIRCUIT_H

#include <stdint.h>

/* Sixteen bytes as eight bit planes: plane[i] holds bit i of every byte, in the low four bits of each of its own four
 * bytes. The other bits have no meaning. */
struct tatu_internal_aes_planes {
    uint32_t plane[8];
};

/* Exchanges the bits of `high` selected by `mask << shift` with the bits of `low` selected by `mask`. */
static inline void tatu_internal_aes_exchange_bits(uint32_t *high, uint32_t *low, uint32_t mask, unsigned shift)
{
    const uint32_t different = ((*high >> shift) ^ *low) & mask;

    *low ^= different;
    *high ^= different << shift;
}

/* Transposes the 4 x 4 matrices of bits whose rows are the nibbles of the four words at one place. Its own inverse. */
static inline void tatu_internal_aes_transpose_nibbles(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    tatu_internal_aes_exchange_bits(a, b, UINT32_C(0x55555555), 1);
    tatu_internal_aes_exchange_bits(c, d, UINT32_C(0x55555555), 1);
    tatu_internal_aes_exchange_bits(a, c, UINT32_C(0x33333333), 2);
    tatu_internal_aes_exchange_bits(b, d, UINT32_C(0x33333333), 2);
}

/* The planes of one column or of four; missing columns are zeros. No array and no loop: that way compilers keep all of
 * it in registers as far as they go (GCC 12 at -O2 on x86-64: half the time for a block of AES-128). */
static inline struct tatu_internal_aes_planes tatu_internal_aes_planes_load(const uint32_t *columns, uint8_t count)
{
    uint32_t a = columns[0];
    uint32_t b = count == 4 ? columns[1] : 0;
    uint32_t c = count == 4 ? columns[2] : 0;
    uint32_t d = count == 4 ? columns[3] : 0;

    tatu_internal_aes_transpose_nibbles(&a, &b, &c, &d);
    return (struct tatu_internal_aes_planes){{a, b, c, d, a >> 4, b >> 4, c >> 4, d >> 4}};
}

static inline void tatu_internal_aes_planes_store(uint32_t *columns, uint8_t count,
                                                  const struct tatu_internal_aes_planes *planes)
{
    const uint32_t low = UINT32_C(0x0f0f0f0f);
    uint32_t a = (planes->plane[0] & low) | (planes->plane[4] & low) << 4;
    uint32_t b = (planes->plane[1] & low) | (planes->plane[5] & low) << 4;
    uint32_t c = (planes->plane[2] & low) | (planes->plane[6] & low) << 4;
    uint32_t d = (planes->plane[3] & low) | (planes->plane[7] & low) << 4;

    tatu_internal_aes_transpose_nibbles(&a, &b, &c, &d);
    columns[0] = a;
    if (count == 4) {
        columns[1] = b;
        columns[2] = c;
        columns[3] = d;
    }
}

/* SubBytes (FIPS 197, section 5.1.1) of all sixteen bytes: the straight-line program of J. Boyar and R. Peralta, "A
 * new combinational logic minimization technique with applications to cryptology", IACR ePrint 2009/191: a linear
 * layer (y) into a tower of fields, the inversion there (t2 to t45), and a linear layer back (z, t46 on) that
 * includes the affine map without its constant 0x63. The layer back is the later one of 28 gates, two fewer than
 * the paper's: 113 gates in all. The other names are the paper's; x0 and s0 are the most significant bits. */
static inline void tatu_internal_aes_planes_substitute_without_constant(struct tatu_internal_aes_planes *planes)
{
    const uint32_t x0 = planes->plane[7], x1 = planes->plane[6], x2 = planes->plane[5], x3 = planes->plane[4];
    const uint32_t x4 = planes->plane[3], x5 = planes->plane[2], x6 = planes->plane[1], x7 = planes->plane[0];

    const uint32_t y14 = x3 ^ x5;
    const uint32_t y13 = x0 ^ x6;
    const uint32_t y9 = x0 ^ x3;
    const uint32_t y8 = x0 ^ x5;
    const uint32_t t0 = x1 ^ x2;
    const uint32_t y1 = t0 ^ x7;
    const uint32_t y4 = y1 ^ x3;
    const uint32_t y12 = y13 ^ y14;
    const uint32_t y2 = y1 ^ x0;
    const uint32_t y5 = y1 ^ x6;
    const uint32_t y3 = y5 ^ y8;
    const uint32_t t1 = x4 ^ y12;
    const uint32_t y15 = t1 ^ x5;
    const uint32_t y20 = t1 ^ x1;
    const uint32_t y6 = y15 ^ x7;
    const uint32_t y10 = y15 ^ t0;
    const uint32_t y11 = y20 ^ y9;
    const uint32_t y7 = x7 ^ y11;
    const uint32_t y17 = y10 ^ y11;
    const uint32_t y19 = y10 ^ y8;
    const uint32_t y16 = t0 ^ y11;
    const uint32_t y21 = y13 ^ y16;
    const uint32_t y18 = x0 ^ y16;

    const uint32_t y0 = x7;

#include "aes_inversion_circuit.inc"

    const uint32_t t46 = z15 ^ z16;
    const uint32_t t47 = z10 ^ t46;
    const uint32_t t48 = z9 ^ t47;
    const uint32_t t49 = z0 ^ z2;
    const uint32_t t50 = z1 ^ z0;
    const uint32_t t51 = z3 ^ z4;
    const uint32_t t52 = z12 ^ t49;
    const uint32_t t53 = z7 ^ t51;
    const uint32_t t54 = z8 ^ t52;
    const uint32_t t55 = t53 ^ t54;
    const uint32_t t56 = t51 ^ t50;
    const uint32_t t57 = z3 ^ z5;
    const uint32_t t58 = z13 ^ t46;
    const uint32_t t59 = t49 ^ t57;
    const uint32_t s3 = t48 ^ t56;
    const uint32_t t60 = z6 ^ t53;
    const uint32_t t61 = z14 ^ t55;
    const uint32_t t62 = t58 ^ t59;
    const uint32_t t63 = z15 ^ t60;
    const uint32_t t64 = t47 ^ z11;
    const uint32_t t65 = t61 ^ t63;

    planes->plane[7] = t48 ^ t60;
    planes->plane[6] = s3 ^ t60;
    planes->plane[5] = t65 ^ z17;
    planes->plane[4] = s3;
    planes->plane[3] = t59 ^ s3;
    planes->plane[2] = t64 ^ t61;
    planes->plane[1] = t55 ^ t62;
    planes->plane[0] = z12 ^ t62;
}

static inline void tatu_internal_aes_planes_substitute(struct tatu_internal_aes_planes *planes)
{
    tatu_internal_aes_planes_substitute_without_constant(planes);
    planes->plane[0] = ~planes->plane[0];
    planes->plane[1] = ~planes->plane[1];
    planes->plane[5] = ~planes->plane[5];
    planes->plane[6] = ~planes->plane[6];
}

#endif
