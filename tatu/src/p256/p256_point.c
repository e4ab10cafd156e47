#include "p256_curve.h"

#include "../weierstrass/point.inc"
