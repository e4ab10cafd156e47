#include "secp256k1_curve.h"

#include "../weierstrass/point.inc"
