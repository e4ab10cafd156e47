#include "secp256k1_curve.h"

#include "../weierstrass/sign.inc"
