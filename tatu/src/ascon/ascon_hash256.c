/* Ascon-Hash256 (NIST SP 800-232, section 5.1). */
#include "ascon_internal.h"

#include <tatu/wipe.h>

#include "../common/flash.h"

/* The state after the initial permutation of 0x0000080100cc0002 followed by zeros: it never differs, and keeping
 * it costs 32 bytes of flash and saves a permutation a message. */
static const uint8_t initial_state[TATU_ASCON_STATE_BYTES] TATU_INTERNAL_IN_FLASH = {
    0x81, 0xd6, 0x34, 0xe9, 0x94, 0x54, 0x1e, 0x9b, /* S0 */
    0xd2, 0x51, 0x37, 0x33, 0x1e, 0xa0, 0xc3, 0x4b, /* S1 */
    0x1a, 0xb8, 0x34, 0x6b, 0x6c, 0x39, 0x65, 0xae, /* S2 */
    0xb3, 0x4d, 0x6a, 0xd5, 0xa4, 0xd4, 0x7f, 0x3c, /* S3 */
    0x6d, 0x97, 0xc5, 0x06, 0x49, 0x46, 0x5c, 0x1a, /* S4 */
};

void tatu_ascon_hash256_init(struct tatu_ascon_hash256 *hash)
{
    for (uint8_t i = 0; i < TATU_ASCON_STATE_BYTES; i++) {
        hash->state[i] = TATU_INTERNAL_READ_FLASH_BYTE(&initial_state[i]);
    }
    tatu_internal_ascon_invert(hash->state);
    hash->position = 0;
}

void tatu_ascon_hash256_update(struct tatu_ascon_hash256 *hash, const uint8_t *input, size_t length)
{
    hash->position =
        tatu_internal_ascon_absorb(hash->state, hash->position, TATU_INTERNAL_ASCON_HASH_RATE, input, length);
}

void tatu_ascon_hash256_final(struct tatu_ascon_hash256 *hash, uint8_t digest[32])
{
    tatu_internal_ascon_squeeze(hash->state, hash->position, digest, TATU_ASCON_HASH256_BYTES);
    tatu_wipe(hash, sizeof *hash);
}

void tatu_ascon_hash256(uint8_t digest[32], const uint8_t *input, size_t length)
{
    struct tatu_ascon_hash256 hash;
    tatu_ascon_hash256_init(&hash);
    tatu_ascon_hash256_update(&hash, input, length);
    tatu_ascon_hash256_final(&hash, digest);
}
