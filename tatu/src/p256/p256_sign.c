#include "p256_curve.h"

#include "../weierstrass/sign.inc"
