#include "p256_curve.h"

#include "../weierstrass/encode.inc"
