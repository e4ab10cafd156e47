#include "p256_curve.h"

#include "../weierstrass/verify.inc"
