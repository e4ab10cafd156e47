#include "sha3_internal.h"

#include <tatu/wipe.h>

void tatu_sha3_256_init(struct tatu_sha3_256 *hash)
{
    tatu_internal_sponge_init(&hash->sponge);
}

void tatu_sha3_256_update(struct tatu_sha3_256 *hash, const uint8_t *input, size_t length)
{
    tatu_internal_sponge_absorb(&hash->sponge, TATU_SHA3_256_RATE_BYTES, input, length);
}

void tatu_sha3_256_final(struct tatu_sha3_256 *hash, uint8_t digest[32])
{
    tatu_internal_sponge_pad(&hash->sponge, TATU_SHA3_256_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&hash->sponge, TATU_SHA3_256_RATE_BYTES, digest, TATU_SHA3_256_DIGEST_BYTES);
    tatu_wipe(hash, sizeof *hash);
}

void tatu_sha3_256(uint8_t digest[32], const uint8_t *input, size_t length)
{
    struct tatu_sha3_256 hash;

    tatu_sha3_256_init(&hash);
    tatu_sha3_256_update(&hash, input, length);
    tatu_sha3_256_final(&hash, digest);
}
