#include "p256_curve.h"

#include "../weierstrass/nonces.inc"
