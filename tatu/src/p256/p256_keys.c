#include "p256_curve.h"

#include "../weierstrass/keys.inc"
