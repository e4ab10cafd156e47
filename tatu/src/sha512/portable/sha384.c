#include "../../common/flash.h"
#include "../../common/wipe_stack.h"
#include "../sha512_internal.h"

/* FIPS 180-4, section 5.3.4. */
static const uint64_t initial_state[8] TATU_INTERNAL_IN_FLASH = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

void tatu_sha384_init(struct tatu_sha384 *hash)
{
    tatu_internal_sha512_open(&hash->hash, initial_state);
}

void tatu_sha384_update(struct tatu_sha384 *hash, const uint8_t *input, size_t length)
{
    tatu_sha512_update(&hash->hash, input, length);
}

void tatu_sha384_final(struct tatu_sha384 *hash, uint8_t digest[48])
{
    tatu_internal_sha512_close(&hash->hash, digest, TATU_SHA384_DIGEST_BYTES);
}

/* For the frames of `digest_of` and of what it calls, which may push a register that held a byte of the message. */
#define STACK_BYTES 320

static TATU_INTERNAL_FRAME_OF_ITS_OWN void digest_of(uint8_t digest[48], const uint8_t *input, size_t length)
{
    struct tatu_sha384 hash;

    tatu_sha384_init(&hash);
    tatu_sha384_update(&hash, input, length);
    tatu_sha384_final(&hash, digest);
}

void tatu_sha384(uint8_t digest[48], const uint8_t *input, size_t length)
{
    digest_of(digest, input, length);
    tatu_internal_wipe_stack(STACK_BYTES);
}
