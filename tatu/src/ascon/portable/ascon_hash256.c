/* Ascon-Hash256 (NIST SP 800-232, section 5.1). */
#include "../ascon_internal.h"

#include <tatu/wipe.h>

#include "../../common/flash.h"
#include "../../common/wipe_stack.h"

#define STACK_BYTES 64 /* of what squeezes and wipes */

/* A byte of S1, S2 or S3 as the permutation keeps it. */
#define KEPT(byte) ((byte) ^ TATU_INTERNAL_ASCON_INVERSION)

/* The state after the initial permutation of 0x0000080100cc0002 followed by zeros: it never differs, and keeping
 * it costs 32 bytes of flash and saves a permutation a message. */
static const uint8_t initial_state[TATU_ASCON_STATE_BYTES] TATU_INTERNAL_IN_FLASH = {
    0x81,       0xd6,       0x34,       0xe9,       0x94,       0x54,       0x1e,       0x9b, /* S0 */
    KEPT(0xd2), KEPT(0x51), KEPT(0x37), KEPT(0x33), /* S1 */
    KEPT(0x1e), KEPT(0xa0), KEPT(0xc3), KEPT(0x4b), KEPT(0x1a), KEPT(0xb8), KEPT(0x34), KEPT(0x6b), /* S2 */
    KEPT(0x6c), KEPT(0x39), KEPT(0x65), KEPT(0xae), KEPT(0xb3), KEPT(0x4d), KEPT(0x6a), KEPT(0xd5), /* S3 */
    KEPT(0xa4), KEPT(0xd4), KEPT(0x7f), KEPT(0x3c), 0x6d,       0x97,       0xc5,       0x06,
    0x49,       0x46,       0x5c,       0x1a, /* S4 */
};

static void start(uint8_t state[TATU_ASCON_STATE_BYTES])
{
    for (uint8_t i = 0; i < TATU_ASCON_STATE_BYTES; i++) {
        state[i] = TATU_INTERNAL_READ_FLASH_BYTE(&initial_state[i]);
    }
}

void tatu_ascon_hash256_init(struct tatu_ascon_hash256 *hash)
{
    start(hash->state);
    hash->position = TATU_INTERNAL_ASCON_OPEN;
}

void tatu_ascon_hash256_update(struct tatu_ascon_hash256 *hash, const uint8_t *input, size_t length)
{
    if (hash->position & TATU_INTERNAL_ASCON_OPEN) {
        const uint8_t position = (uint8_t)(hash->position ^ TATU_INTERNAL_ASCON_OPEN);
        const uint8_t next =
            tatu_internal_ascon_absorb(hash->state, position, TATU_INTERNAL_ASCON_HASH_RATE, input, length);
        hash->position = (uint8_t)(next | TATU_INTERNAL_ASCON_OPEN);
    }
}

void tatu_ascon_hash256_final(struct tatu_ascon_hash256 *hash, uint8_t digest[32])
{
    if (hash->position & TATU_INTERNAL_ASCON_OPEN) {
        const uint8_t position = (uint8_t)(hash->position ^ TATU_INTERNAL_ASCON_OPEN);
        tatu_internal_ascon_squeeze(hash->state, position, digest, TATU_ASCON_HASH256_BYTES);
    } else { /* the output of something else would look right */
        memset(digest, 0, TATU_ASCON_HASH256_BYTES);
    }
    tatu_wipe(hash, sizeof *hash);
    tatu_internal_wipe_stack(STACK_BYTES);
}

void tatu_ascon_hash256(uint8_t digest[32], const uint8_t *input, size_t length)
{
    struct tatu_ascon_hash256 hash;
    uint8_t position;

    start(hash.state);
    position = tatu_internal_ascon_absorb(hash.state, 0, TATU_INTERNAL_ASCON_HASH_RATE, input, length);
    tatu_internal_ascon_squeeze(hash.state, position, digest, TATU_ASCON_HASH256_BYTES);
    tatu_wipe(&hash, sizeof hash);
    tatu_internal_wipe_stack(STACK_BYTES);
}
