#include "../p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)
#include "../../weierstrass/avr/order_multiply.inc"
#else
typedef int tatu_internal_p256_avr_is_in_c;
#endif
