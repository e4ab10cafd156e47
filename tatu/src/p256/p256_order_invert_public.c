#include "p256_curve.h"

#include "../weierstrass/order_invert_public.inc"
