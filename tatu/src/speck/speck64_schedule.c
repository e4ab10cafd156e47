#include "speck64_internal.h"

void tatu_internal_speck64_schedule_begin(struct tatu_internal_speck64_schedule *schedule, const uint8_t *key,
                                          uint8_t key_words)
{
    schedule->k = tatu_internal_load32_le(key);
    for (uint8_t i = 1; i < key_words; i++) {
        schedule->l[i - 1] = tatu_internal_load32_le(key + 4 * i);
    }
    schedule->l_words = (uint8_t)(key_words - 1);
    schedule->oldest = 0;
    schedule->round = 0;
}
