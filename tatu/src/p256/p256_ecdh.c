#include "p256_curve.h"

#include "../weierstrass/ecdh.inc"
