#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

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
    tatu_internal_xor(target, word, 4);
    tatu_wipe(word, sizeof word);
}

#else

void tatu_internal_aes_schedule_step(uint8_t target[4], const uint8_t previous[4], uint8_t phase, uint8_t key_bytes,
                                     uint8_t round_constant, tatu_internal_aes_substitution *substitute)
{
    uint32_t word = tatu_internal_load32_le(previous);

    if (phase == 0) { /* RotWord and Rcon at the beginning of each Nk words */
        word = tatu_internal_aes_rotate_right(word, 8);
        substitute(&word, 1);
        word ^= round_constant;
    } else if (key_bytes == 32 && phase == 16) {
        substitute(&word, 1);
    }
    tatu_internal_store32_le(target, tatu_internal_load32_le(target) ^ word);
    tatu_wipe(&word, sizeof word);
}

#endif
