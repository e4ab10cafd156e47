#include "secp256k1_curve.h"

#include "../weierstrass/keys.inc"
