#include <string.h>

#include "../aes_backend.h"
#include "../aes_internal.h"

#if !defined(TATU_INTERNAL_AES_PLAIN_IN_NEON) /* with NEON: aes_expand_key_neon.c */

/* KeyExpansion, FIPS 197, section 5.2. */
void tatu_internal_aes_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_bytes,
                                  tatu_internal_aes_substitution *substitute)
{
    const uint8_t end = (uint8_t)(16 * (tatu_internal_aes_rounds(key_bytes) + 1)); /* at most 240 */
    uint8_t round_constant = 1;
    uint8_t phase = 0;

    memcpy(round_keys, key, key_bytes);
    for (uint8_t i = key_bytes; i < end; i = (uint8_t)(i + 4)) {
        memcpy(round_keys + i, round_keys + i - key_bytes, 4);
        tatu_internal_aes_schedule_step(round_keys + i, round_keys + i - 4, phase, key_bytes, round_constant,
                                        substitute);
        phase = (uint8_t)(phase + 4);
        if (phase == key_bytes) {
            phase = 0;
            round_constant = tatu_internal_aes_xtime(round_constant);
        }
    }
}

#endif
