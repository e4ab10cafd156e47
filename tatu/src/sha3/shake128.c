#include "sha3_internal.h"

#include <tatu/wipe.h>

void tatu_shake128_init(struct tatu_shake128 *xof)
{
    tatu_internal_sponge_init(&xof->sponge);
    xof->squeezing = 0;
}

void tatu_shake128_update(struct tatu_shake128 *xof, const uint8_t *input, size_t length)
{
    if (!xof->squeezing) {
        tatu_internal_sponge_absorb(&xof->sponge, TATU_SHAKE128_RATE_BYTES, input, length);
    }
}

void tatu_shake128_squeeze(struct tatu_shake128 *xof, uint8_t *output, size_t output_length)
{
    if (!xof->squeezing) {
        tatu_internal_sponge_pad(&xof->sponge, TATU_SHAKE128_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
        xof->squeezing = 1;
    }
    tatu_internal_sponge_squeeze(&xof->sponge, TATU_SHAKE128_RATE_BYTES, output, output_length);
}

void tatu_shake128(uint8_t *output, size_t output_length, const uint8_t *input, size_t length)
{
    struct tatu_shake128 xof;

    tatu_shake128_init(&xof);
    tatu_shake128_update(&xof, input, length);
    tatu_shake128_squeeze(&xof, output, output_length);
    tatu_wipe(&xof, sizeof xof);
}
