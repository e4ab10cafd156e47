#include "p256_curve.h"

#include "../weierstrass/number.inc"
