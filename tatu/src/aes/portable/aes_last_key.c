#include <string.h>

#include "../../common/wipe_stack.h"
#include "../aes_internal.h"

#define STACK_BYTES 256 /* what the substitutions take, too */

/* Runs KeyExpansion (FIPS 197, section 5.2) in a ring of Nk words. The ring is turned beforehand, so that the last Nk
 * words come to lie in order. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void make_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_bytes)
{
    const uint8_t expanded_bytes = (uint8_t)(16 * (tatu_internal_aes_rounds(key_bytes) + 1));
    const uint8_t left_over = expanded_bytes % key_bytes; /* 0 for AES-128, else 16 */
    uint8_t round_constant = 1;
    uint8_t phase = 0;
    uint8_t previous = (uint8_t)(key_bytes - left_over - 4);

    memcpy(last_key, key + left_over, (size_t)(key_bytes - left_over));
    memcpy(last_key + key_bytes - left_over, key, left_over);
    for (uint8_t i = key_bytes; i < expanded_bytes; i = (uint8_t)(i + 4)) {
        uint8_t position = (uint8_t)(previous + 4);

        if (position == key_bytes) {
            position = 0;
        }
        tatu_internal_aes_schedule_step(last_key + position, last_key + previous, phase, key_bytes, round_constant,
                                        tatu_internal_aes_substitute);
        previous = position;
        phase = (uint8_t)(phase + 4);
        if (phase == key_bytes) {
            phase = 0;
            round_constant = tatu_internal_aes_xtime(round_constant);
        }
    }
}

void tatu_internal_aes_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_bytes)
{
    make_last_key(last_key, key, key_bytes);
    tatu_internal_wipe_stack(STACK_BYTES);
}
