#include "aes_schedule.h"

#include <tatu/wipe.h>

void tatu_internal_aes_schedule_step(uint8_t target[4], const uint8_t previous[4], uint8_t phase, uint8_t key_bytes,
                                     uint8_t round_constant, tatu_internal_aes_substitution *substitute)
{
    uint8_t word[4];
    const uint8_t turn = phase == 0; /* RotWord and Rcon at the beginning of each Nk words */

    for (uint8_t i = 0; i < 4; i++) {
        word[i] = previous[(i + turn) & 3];
    }
    if (phase == 0 || (key_bytes == 32 && phase == 16)) {
        substitute(word, 4);
    }
    if (phase == 0) {
        word[0] ^= round_constant;
    }
    for (uint8_t i = 0; i < 4; i++) {
        target[i] ^= word[i];
    }
    tatu_wipe(word, sizeof word);
}
