#include "sha3_internal.h"

#include <tatu/wipe.h>

void tatu_shake256_init(struct tatu_shake256 *xof)
{
    tatu_internal_sponge_init(&xof->sponge);
    xof->squeezing = 0;
}

void tatu_shake256_update(struct tatu_shake256 *xof, const uint8_t *input, size_t length)
{
    if (!xof->squeezing) {
        tatu_internal_sponge_absorb(&xof->sponge, TATU_SHAKE256_RATE_BYTES, input, length);
    }
}

void tatu_shake256_squeeze(struct tatu_shake256 *xof, uint8_t *output, size_t output_length)
{
    if (!xof->squeezing) {
        tatu_internal_sponge_pad(&xof->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
        xof->squeezing = 1;
    }
    tatu_internal_sponge_squeeze(&xof->sponge, TATU_SHAKE256_RATE_BYTES, output, output_length);
}

void tatu_shake256(uint8_t *output, size_t output_length, const uint8_t *input, size_t length)
{
    struct tatu_shake256 xof;

    tatu_shake256_init(&xof);
    tatu_shake256_update(&xof, input, length);
    tatu_shake256_squeeze(&xof, output, output_length);
    tatu_wipe(&xof, sizeof xof);
}
