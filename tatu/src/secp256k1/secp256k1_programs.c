/* The programs of secp256k1 (../weierstrass/state.h). */
#include "secp256k1_curve.h"

#include "../common/flash.h"
#include "../weierstrass/programs.h"

#if defined(TATU_INTERNAL_AVR_ASSEMBLY)

/* 3 multiplications, 4 squarings: the usual doubling for a = 0. T0 is 3 X^2, T1 is 2 Y^2, Y is 4 X Y^2 on the way. X2,
 * Y2 and Z2 stay. */
const uint8_t CURVE(doubling)[] TATU_INTERNAL_IN_FLASH = {
    MULTIPLY(Z, Y, Z), ADD(Z, Z, Z),       SQUARE(T0, X),  ADD(T1, T0, T0), ADD(T0, T0, T1),    SQUARE(T1, Y),
    ADD(T1, T1, T1),   MULTIPLY(Y, X, T1), ADD(Y, Y, Y),   SQUARE(X, T0),   SUBTRACT(X, X, Y),  SUBTRACT(X, X, Y),
    SUBTRACT(Y, Y, X), MULTIPLY(Y, Y, T0), SQUARE(T1, T1), ADD(T1, T1, T1), SUBTRACT(Y, Y, T1), END,
};

#else

/* The same with half of Z, and fewer sums: with T0 = 3/2 X^2 and T1 = X Y^2 it is X' = T0^2 - 2 T1,
 * Y' = T0 (T1 - X') - Y^4, Z' = Y Z. */
const uint8_t CURVE(doubling)[] TATU_INTERNAL_IN_FLASH = {
    MULTIPLY(Z, Y, Z),   SQUARE(T0, X),
    HALVE(T1, T0),       ADD(T0, T0, T1),
    SQUARE(Y, Y),        MULTIPLY(T1, X, Y),
    SQUARE(Y, Y),        SQUARE(X, T0),
    SUBTRACT(X, X, T1),  SUBTRACT(X, X, T1),
    SUBTRACT(T1, T1, X), MULTIPLY(T1, T0, T1),
    SUBTRACT(Y, T1, Y),  END,
};

#endif

/* T1 = X^3 + T2 */
const uint8_t CURVE(sides)[] TATU_INTERNAL_IN_FLASH = {SQUARE(T1, X), MULTIPLY(T1, T1, X), ADD(T1, T1, T2), END};

/* With "n ones" for Z to the power of 2^n - 1: T0 = 2 ones, X2 = 223 ones to the power of 2^23, times 22 ones; uses all
 * but X and Y. */
const uint8_t CURVE(power)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),        MULTIPLY(T0, T0, Z),   /* 2 ones */
    SQUARE(T1, T0),       MULTIPLY(T1, T1, Z),   /* 3 ones */
    SQUARE(T2, T1),       SQUARE_TIMES(T2, 2),  MULTIPLY(T2, T2, T1),  /* 6 ones */
    SQUARE_TIMES(T2, 3),  MULTIPLY(T2, T2, T1),  /* 9 ones */
    SQUARE_TIMES(T2, 2),  MULTIPLY(T2, T2, T0),  /* 11 ones */
    SQUARE(X2, T2),       SQUARE_TIMES(X2, 10), MULTIPLY(X2, X2, T2),  /* 22 ones */
    SQUARE(Y2, X2),       SQUARE_TIMES(Y2, 21), MULTIPLY(Y2, Y2, X2),  /* 44 ones */
    SQUARE(Z2, Y2),       SQUARE_TIMES(Z2, 43), MULTIPLY(Z2, Z2, Y2),  /* 88 ones */
    SQUARE(T2, Z2),       SQUARE_TIMES(T2, 87), MULTIPLY(T2, T2, Z2),  /* 176 ones */
    SQUARE_TIMES(T2, 44), MULTIPLY(T2, T2, Y2),  /* 220 ones */
    SQUARE_TIMES(T2, 3),  MULTIPLY(T2, T2, T1),  /* 223 ones */
    SQUARE_TIMES(T2, 23), MULTIPLY(X2, T2, X2), END,
};

/* X2 = Z^(p - 2), which is 1/Z, after the program before */
const uint8_t CURVE(inversion)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE_TIMES(X2, 5),
    MULTIPLY(X2, X2, Z),
    SQUARE_TIMES(X2, 3),
    MULTIPLY(X2, X2, T0),
    SQUARE_TIMES(X2, 2),
    MULTIPLY(X2, X2, Z),
    END,
};

/* X2 = Z^((p + 1) / 4), after the power; Y = X2 / R for T2 = 1, T0 = X2^2 - Z */
const uint8_t CURVE(root)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE_TIMES(X2, 6),
    MULTIPLY(X2, X2, T0),
    SQUARE_TIMES(X2, 2),
    SQUARE(T0, X2),
    SUBTRACT(T0, T0, Z),
    MULTIPLY(Y, X2, T2),
    END,
};
