#include "secp256k1_curve.h"

#include "../weierstrass/order_invert_public.inc"
