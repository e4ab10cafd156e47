/* Ascon-XOF128 (NIST SP 800-232, section 5.2). */
#include "../ascon_internal.h"

#include <tatu/wipe.h>

#include "../../common/flash.h"
#include "../../common/wipe_stack.h"

#define STACK_BYTES 64 /* of what squeezes and wipes */

/* A byte of S1, S2 or S3 as the permutation keeps it. */
#define KEPT(byte) ((byte) ^ TATU_INTERNAL_ASCON_INVERSION)

/* The state after the initial permutation of 0x0000080000cc0003 followed by zeros: it never differs, and keeping
 * it costs 32 bytes of flash and saves a permutation a message. */
static const uint8_t initial_state[TATU_ASCON_STATE_BYTES] TATU_INTERNAL_IN_FLASH = {
    0xeb,       0x47,       0x94,       0x8d,       0x76,       0xce,       0x82,       0xda, /* S0 */
    KEPT(0x69), KEPT(0xf9), KEPT(0x1e), KEPT(0x5f), /* S1 */
    KEPT(0xc7), KEPT(0xe6), KEPT(0x7c), KEPT(0xcc), KEPT(0x31), KEPT(0x56), KEPT(0x08), KEPT(0x80), /* S2 */
    KEPT(0xd7), KEPT(0x8f), KEPT(0x50), KEPT(0xe7), KEPT(0xcc), KEPT(0x58), KEPT(0x6b), KEPT(0x41), /* S3 */
    KEPT(0x53), KEPT(0xea), KEPT(0xe0), KEPT(0x0e), 0xde,       0x0b,       0x6f,       0xdb,
    0x24,       0x75,       0x54,       0xe0, /* S4 */
};

static void start(uint8_t state[TATU_ASCON_STATE_BYTES])
{
    for (uint8_t i = 0; i < TATU_ASCON_STATE_BYTES; i++) {
        state[i] = TATU_INTERNAL_READ_FLASH_BYTE(&initial_state[i]);
    }
}

void tatu_ascon_xof128_init(struct tatu_ascon_xof128 *xof)
{
    start(xof->state);
    xof->position = TATU_INTERNAL_ASCON_OPEN;
}

void tatu_ascon_xof128_update(struct tatu_ascon_xof128 *xof, const uint8_t *input, size_t length)
{
    if (xof->position & TATU_INTERNAL_ASCON_OPEN) {
        const uint8_t position = (uint8_t)(xof->position ^ TATU_INTERNAL_ASCON_OPEN);
        const uint8_t next =
            tatu_internal_ascon_absorb(xof->state, position, TATU_INTERNAL_ASCON_HASH_RATE, input, length);
        xof->position = (uint8_t)(next | TATU_INTERNAL_ASCON_OPEN);
    }
}

void tatu_ascon_xof128_final(struct tatu_ascon_xof128 *xof, uint8_t *output, size_t output_length)
{
    if (xof->position & TATU_INTERNAL_ASCON_OPEN) {
        const uint8_t position = (uint8_t)(xof->position ^ TATU_INTERNAL_ASCON_OPEN);
        tatu_internal_ascon_squeeze(xof->state, position, output, output_length);
    } else { /* the output of something else would look right */
        tatu_internal_ascon_zero(output, output_length);
    }
    tatu_wipe(xof, sizeof *xof);
    tatu_internal_wipe_stack(STACK_BYTES);
}

void tatu_ascon_xof128(uint8_t *output, size_t output_length, const uint8_t *input, size_t length)
{
    struct tatu_ascon_xof128 xof;
    uint8_t position;

    start(xof.state);
    position = tatu_internal_ascon_absorb(xof.state, 0, TATU_INTERNAL_ASCON_HASH_RATE, input, length);
    tatu_internal_ascon_squeeze(xof.state, position, output, output_length);
    tatu_wipe(&xof, sizeof xof);
    tatu_internal_wipe_stack(STACK_BYTES);
}
