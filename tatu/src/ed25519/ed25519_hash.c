#include <tatu/sha512.h>
#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "ed25519_scalar.h"

TATU_INTERNAL_FRAME_OF_ITS_OWN void tatu_internal_ed25519_hash(uint8_t result[32], const uint8_t first[32],
                                                               const uint8_t *second, const uint8_t *message,
                                                               size_t length)
{
    struct tatu_sha512 hash;
    uint8_t digest[TATU_SHA512_DIGEST_BYTES];

    tatu_sha512_init(&hash);
    tatu_sha512_update(&hash, first, 32);
    if (second != NULL) {
        tatu_sha512_update(&hash, second, 32);
    }
    tatu_sha512_update(&hash, message, length);
    tatu_sha512_final(&hash, digest);
    tatu_internal_ed25519_reduce(result, digest);
    tatu_wipe(digest, sizeof digest);
}
