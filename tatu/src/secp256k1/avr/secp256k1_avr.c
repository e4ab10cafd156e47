#include "../secp256k1_curve.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_AVR)
#include "../../weierstrass/avr/order_multiply.inc"
#else
typedef int tatu_internal_secp256k1_avr_is_in_c;
#endif
