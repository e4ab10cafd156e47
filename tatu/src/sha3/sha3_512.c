#include "sha3_internal.h"

#include <tatu/wipe.h>

void tatu_sha3_512_init(struct tatu_sha3_512 *hash)
{
    tatu_internal_sponge_init(&hash->sponge);
}

void tatu_sha3_512_update(struct tatu_sha3_512 *hash, const uint8_t *input, size_t length)
{
    tatu_internal_sponge_absorb(&hash->sponge, TATU_SHA3_512_RATE_BYTES, input, length);
}

void tatu_sha3_512_final(struct tatu_sha3_512 *hash, uint8_t digest[64])
{
    tatu_internal_sponge_pad(&hash->sponge, TATU_SHA3_512_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&hash->sponge, TATU_SHA3_512_RATE_BYTES, digest, TATU_SHA3_512_DIGEST_BYTES);
    tatu_wipe(hash, sizeof *hash);
}

void tatu_sha3_512(uint8_t digest[64], const uint8_t *input, size_t length)
{
    struct tatu_sha3_512 hash;

    tatu_sha3_512_init(&hash);
    tatu_sha3_512_update(&hash, input, length);
    tatu_sha3_512_final(&hash, digest);
}
