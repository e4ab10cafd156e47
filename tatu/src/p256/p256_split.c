/* P-256 has no endomorphism that is cheaper than doubling. */
#include "p256_curve.h"

void tatu_internal_p256_split(struct tatu_internal_curve_factor *parts, const tatu_internal_curve_number factor)
{
    tatu_internal_p256_store(parts->bytes, factor);
    parts->is_negative = 0;
}

void tatu_internal_p256_apply_endomorphism(struct tatu_internal_curve_state *state)
{
    (void)state;
}
