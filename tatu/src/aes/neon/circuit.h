/* The S-box of AES and its inverse as circuits, on planes of bits in NEON registers: XOR and AND are macros that the
 * including file defines for its type PLANE. x0 is the most significant bit, and so is the first result.
 *
 * Both are Boyar's and Peralta's, "A small depth-16 circuit for the AES S-box" (2011) and what their Circuit
 * Minimization Team at Yale published since: 113 and 121 gates. Their eight XNOR are XOR here, so that the S-box
 * comes out with 0x63 added and its inverse wants its argument with 0x63 added. MixColumns and its inverse leave a
 * state of equal bytes as it is, so that the round keys can make up for it. */
#ifndef TATU_AES_CIRCUIT_NEON_H
#define TATU_AES_CIRCUIT_NEON_H

#define TATU_INTERNAL_AES_SUBSTITUTE(x7, x6, x5, x4, x3, x2, x1, x0)                                                 \
    do {                                                                                                             \
        const PLANE y14 = XOR(x3, x5), y13 = XOR(x0, x6), y9 = XOR(x0, x3), y8 = XOR(x0, x5), a0 = XOR(x1, x2);      \
        const PLANE y1 = XOR(a0, x7), y4 = XOR(y1, x3), y12 = XOR(y13, y14), y2 = XOR(y1, x0), y5 = XOR(y1, x6);     \
        const PLANE y3 = XOR(y5, y8), a1 = XOR(x4, y12), y15 = XOR(a1, x5), y20 = XOR(a1, x1), y6 = XOR(y15, x7);    \
        const PLANE y10 = XOR(y15, a0), y11 = XOR(y20, y9), y7 = XOR(x7, y11), y17 = XOR(y10, y11);                  \
        const PLANE y19 = XOR(y10, y8), y16 = XOR(a0, y11), y21 = XOR(y13, y16), y18 = XOR(x0, y16);                 \
        const PLANE t2 = AND(y12, y15), t3 = AND(y3, y6), t4 = XOR(t3, t2), t5 = AND(y4, x7), t6 = XOR(t5, t2);      \
        const PLANE t7 = AND(y13, y16), t8 = AND(y5, y1), t9 = XOR(t8, t7), t10 = AND(y2, y7), t11 = XOR(t10, t7);   \
        const PLANE t12 = AND(y9, y11), t13 = AND(y14, y17), t14 = XOR(t13, t12), t15 = AND(y8, y10);                \
        const PLANE t16 = XOR(t15, t12), t17 = XOR(t4, y20), t18 = XOR(t6, t16), t19 = XOR(t9, t14);                 \
        const PLANE t20 = XOR(t11, t16), t21 = XOR(t17, t14), t22 = XOR(t18, y19), t23 = XOR(t19, y21);              \
        const PLANE t24 = XOR(t20, y18), t25 = XOR(t21, t22), t26 = AND(t21, t23), t27 = XOR(t24, t26);              \
        const PLANE t28 = AND(t25, t27), t29 = XOR(t28, t22), t30 = XOR(t23, t24), t31 = XOR(t22, t26);              \
        const PLANE t32 = AND(t31, t30), t33 = XOR(t32, t24), t34 = XOR(t23, t33), t35 = XOR(t27, t33);              \
        const PLANE t36 = AND(t24, t35), t37 = XOR(t36, t34), t38 = XOR(t27, t36), t39 = AND(t29, t38);              \
        const PLANE t40 = XOR(t25, t39), t41 = XOR(t40, t37), t42 = XOR(t29, t33), t43 = XOR(t29, t40);              \
        const PLANE t44 = XOR(t33, t37), t45 = XOR(t42, t41);                                                        \
        const PLANE z0 = AND(t44, y15), z1 = AND(t37, y6), z2 = AND(t33, x7), z3 = AND(t43, y16), z4 = AND(t40, y1); \
        const PLANE z5 = AND(t29, y7), z6 = AND(t42, y11), z7 = AND(t45, y17), z8 = AND(t41, y10);                   \
        const PLANE z9 = AND(t44, y12), z10 = AND(t37, y3), z11 = AND(t33, y4), z12 = AND(t43, y13);                 \
        const PLANE z13 = AND(t40, y5), z14 = AND(t29, y2), z15 = AND(t42, y9), z16 = AND(t45, y14);                 \
        const PLANE z17 = AND(t41, y8);                                                                              \
        const PLANE c1 = XOR(z15, z16), c2 = XOR(z10, c1), c3 = XOR(z9, c2), c4 = XOR(z0, z2), c5 = XOR(z1, z0);     \
        const PLANE c6 = XOR(z3, z4), c7 = XOR(z12, c4), c8 = XOR(z7, c6), c9 = XOR(z8, c7), c10 = XOR(c8, c9);      \
        const PLANE c11 = XOR(c6, c5), c12 = XOR(z3, z5), c13 = XOR(z13, c1), c14 = XOR(c4, c12), c16 = XOR(z6, c8); \
        const PLANE c17 = XOR(z14, c10), c18 = XOR(c13, c14), c20 = XOR(z15, c16), c21 = XOR(c2, z11);               \
        const PLANE c26 = XOR(c17, c20), s3 = XOR(c3, c11);                                                          \
        (x7) = XOR(z12, c18);                                                                                        \
        (x6) = XOR(c10, c18);                                                                                        \
        (x5) = XOR(c21, c17);                                                                                        \
        (x4) = XOR(c14, s3);                                                                                         \
        (x3) = s3;                                                                                                   \
        (x2) = XOR(c26, z17);                                                                                        \
        (x1) = XOR(s3, c16);                                                                                         \
        (x0) = XOR(c3, c16);                                                                                         \
    } while (0)

#define TATU_INTERNAL_AES_INVERSE_SUBSTITUTE(x7, x6, x5, x4, x3, x2, x1, x0)                                        \
    do {                                                                                                            \
        const PLANE y0 = XOR(x0, x3), y2 = XOR(x1, x3), y4 = XOR(x0, y2), u0 = XOR(x6, x7), y1 = XOR(y2, u0);       \
        const PLANE y7 = XOR(x2, y1), u1 = XOR(x3, x4), y6 = XOR(x7, u1), y3 = XOR(y1, u1), u2 = XOR(x0, x2);       \
        const PLANE y5 = XOR(x5, u2), sa1 = XOR(y0, y2), sa0 = XOR(y1, y3), sb1 = XOR(y4, y6), sb0 = XOR(y5, y7);   \
        const PLANE ah = XOR(y0, y1), al = XOR(y2, y3), aa = XOR(sa0, sa1), bh = XOR(y4, y5), bl = XOR(y6, y7);     \
        const PLANE bb = XOR(sb0, sb1), d20 = XOR(sa0, sb0), d22 = XOR(al, bl), d23 = XOR(y3, y7);                  \
        const PLANE d21 = XOR(sa1, sb1), m1 = AND(ah, bh), m2 = AND(y0, y4), h1 = XOR(d20, m1), m3 = AND(y1, y5);   \
        const PLANE h2 = XOR(m3, m1), m4 = AND(al, bl), m5 = AND(y2, y6), l1 = XOR(d22, m4), m6 = AND(y3, y7);      \
        const PLANE l2 = XOR(m6, m4), m7 = AND(sa0, sb0), m8 = AND(aa, bb), v1 = XOR(m8, m7), m9 = AND(sa1, sb1);   \
        const PLANE q1 = XOR(m9, m7), e0 = XOR(h1, m2), e1 = XOR(h2, d21), e2 = XOR(l1, m5), e3 = XOR(l2, q1);      \
        const PLANE f1 = XOR(e0, v1), f2 = XOR(e1, q1), f3 = XOR(e2, v1), f4 = XOR(e3, d23), i1 = XOR(f3, f4);      \
        const PLANE i2 = AND(f3, f1), i3 = XOR(f2, i2), i4 = XOR(f1, f2), i5 = XOR(f4, i2), i6 = AND(i5, i4);       \
        const PLANE i7 = AND(i3, i1), g2 = XOR(f4, i7), g0 = XOR(f2, i6), i8 = AND(f1, f4), i9 = AND(i4, i8);       \
        const PLANE i10 = XOR(i4, i2), g1 = XOR(i9, i10), i11 = AND(f2, f3), i12 = AND(i1, i11), i13 = XOR(i1, i2); \
        const PLANE g3 = XOR(i12, i13), sd1 = XOR(g1, g3), sd0 = XOR(g0, g2), dl = XOR(g0, g1), dh = XOR(g2, g3);   \
        const PLANE dd = XOR(sd0, sd1), n1 = AND(dh, bh), n2 = AND(g3, y4), n3 = AND(g2, y5), n4 = AND(dl, bl);     \
        const PLANE n5 = AND(g1, y6), n6 = AND(g0, y7), n7 = AND(sd0, sb0), n8 = AND(dd, bb), n9 = AND(sd1, sb1);   \
        const PLANE o1 = AND(dh, ah), o2 = AND(g3, y0), o3 = AND(g2, y1), o4 = AND(dl, al), o5 = AND(g1, y2);       \
        const PLANE o6 = AND(g0, y3), o7 = AND(sd0, sa0), o8 = AND(dd, aa), o9 = AND(sd1, sa1);                     \
        const PLANE pr = XOR(n8, n7), qr = XOR(n9, n7), p0 = XOR(XOR(n2, n1), pr), p1 = XOR(XOR(n3, n1), qr);       \
        const PLANE p2 = XOR(XOR(n5, n4), pr), p3 = XOR(XOR(n6, n4), qr), pt = XOR(o8, o7), qt = XOR(o9, o7);       \
        const PLANE p4 = XOR(XOR(o2, o1), pt), p5 = XOR(XOR(o3, o1), qt), p6 = XOR(XOR(o5, o4), pt);                \
        const PLANE p7 = XOR(XOR(o6, o4), qt), k11 = XOR(p0, p2), k13 = XOR(p4, p7), k14 = XOR(k11, k13);           \
        const PLANE k16 = XOR(p1, p5), k18 = XOR(p0, p4), s0 = XOR(p3, p6), s3 = XOR(p1, p6), s5 = XOR(s0, k11);    \
        (x7) = p5;                                                                                                  \
        (x6) = XOR(p2, p6);                                                                                         \
        (x5) = s5;                                                                                                  \
        (x4) = XOR(k18, XOR(s5, k16));                                                                              \
        (x3) = s3;                                                                                                  \
        (x2) = XOR(k14, k16);                                                                                       \
        (x1) = XOR(s3, k14);                                                                                        \
        (x0) = s0;                                                                                                  \
    } while (0)

#endif
