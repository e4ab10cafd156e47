/* The programs of P-256 (../weierstrass/state.h). The doubling is dbl-2001-b of D. Bernstein and T. Lange,
 * "Explicit-Formulas Database", for Jacobian coordinates and a = -3. */
#include "p256_curve.h"

#include "../common/flash.h"
#include "../weierstrass/programs.h"

#if defined(TATU_INTERNAL_AVR_ASSEMBLY)

/* 3 multiplications, 5 squarings; T0 is 3 (X - Z^2) (X + Z^2). X2, Y2 and Z2 stay. */
const uint8_t CURVE(doubling)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),      SQUARE(T1, Y),        ADD(Z, Y, Z),       SQUARE(Z, Z),
    SUBTRACT(Z, Z, T1), SUBTRACT(Z, Z, T0),   MULTIPLY(Y, X, T1), SUBTRACT(T2, X, T0),
    ADD(T0, X, T0),     MULTIPLY(T0, T0, T2), ADD(T2, T0, T0),    ADD(T0, T0, T2),
    SQUARE(X, T0),      ADD(Y, Y, Y),         ADD(Y, Y, Y),       ADD(T2, Y, Y),
    SUBTRACT(X, X, T2), SUBTRACT(Y, Y, X),    MULTIPLY(Y, Y, T0), ADD(T1, T1, T1),
    SQUARE(T1, T1),     ADD(T1, T1, T1),      SUBTRACT(Y, Y, T1), END,
};

#else

/* 4 multiplications, 4 squarings, and less than half of the sums: the same point with half of Z. With
 * T0 = 3/2 (X - Z^2) (X + Z^2) and T1 = X Y^2 it is X' = T0^2 - 2 T1, Y' = T0 (T1 - X') - Y^4, Z' = Y Z. X2, Y2 and Z2
 * stay. */
const uint8_t CURVE(doubling)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),
    MULTIPLY(Z, Y, Z),
    SUBTRACT(T1, X, T0),
    ADD(T0, X, T0),
    MULTIPLY(T0, T0, T1),
    HALVE(T1, T0),
    ADD(T0, T0, T1),
    SQUARE(Y, Y),
    MULTIPLY(T1, X, Y),
    SQUARE(Y, Y),
    SQUARE(X, T0),
    SUBTRACT(X, X, T1),
    SUBTRACT(X, X, T1),
    SUBTRACT(T1, T1, X),
    MULTIPLY(T1, T0, T1),
    SUBTRACT(Y, T1, Y),
    END,
};

#endif

/* T1 = X^3 - 3 X + T2 */
const uint8_t CURVE(sides)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T1, X), MULTIPLY(T1, T1, X), ADD(T1, T1, T2), SUBTRACT(T1, T1, X), SUBTRACT(T1, T1, X), SUBTRACT(T1, T1, X),
    END,
};

/* X2 = Z^(2^64 - 2^32 + 1), T0 = Z^(2^32 - 1), T1 = Z^(2^30 - 1); uses T2. */
const uint8_t CURVE(power)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),         /* T0 is Z to the power of 2^2 - 1, which is written "2 ones" */
    MULTIPLY(T0, T0, Z), SQUARE(T1, T0),       MULTIPLY(T1, T1, Z),   /* 3 ones */
    SQUARE(T2, T1),      SQUARE_TIMES(T2, 2),  MULTIPLY(T2, T2, T1),  /* 6 ones */
    SQUARE(X2, T2),      SQUARE_TIMES(X2, 5),  MULTIPLY(X2, X2, T2),  /* 12 ones */
    SQUARE_TIMES(X2, 3), MULTIPLY(T1, X2, T1),  /* 15 ones */
    SQUARE(T2, T1),      SQUARE_TIMES(T2, 14), MULTIPLY(T1, T2, T1),  /* 30 ones */
    SQUARE(T2, T1),      SQUARE_TIMES(T2, 1),  MULTIPLY(T0, T2, T0),  /* 32 ones */
    SQUARE(X2, T0),      SQUARE_TIMES(X2, 31), MULTIPLY(X2, X2, Z),  END,
};

/* X2 = Z^(p - 2), which is 1/Z, after the program before */
const uint8_t CURVE(inversion)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE_TIMES(X2, 128), MULTIPLY(X2, X2, T0), SQUARE_TIMES(X2, 32),
    MULTIPLY(X2, X2, T0),  SQUARE_TIMES(X2, 30), MULTIPLY(X2, X2, T1),
    SQUARE_TIMES(X2, 2),   MULTIPLY(X2, X2, Z),  END,
};

/* X2 = Z^((p + 1) / 4), after the power; Y = X2 / R for T2 = 1, T0 = X2^2 - Z */
const uint8_t CURVE(root)[] TATU_INTERNAL_IN_FLASH = {
    SQUARE_TIMES(X2, 96),
    MULTIPLY(X2, X2, Z),
    SQUARE_TIMES(X2, 94),
    SQUARE(T0, X2),
    SUBTRACT(T0, T0, Z),
    MULTIPLY(Y, X2, T2),
    END,
};
