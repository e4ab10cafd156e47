#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "speck64_internal.h"

static TATU_INTERNAL_FRAME_OF_ITS_OWN void make_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_words, uint8_t rounds)
{
    struct tatu_internal_speck64_schedule schedule;

    tatu_internal_speck64_schedule_begin(&schedule, key, key_words);
    while (--rounds > 0) {
        tatu_internal_speck64_schedule_next(&schedule);
    }
    tatu_internal_store32_le(last_key, schedule.k);
    for (uint8_t i = 1; i < key_words; i++) {
        last_key += 4;
        tatu_internal_store32_le(last_key, schedule.l[schedule.oldest]);
        schedule.oldest++;
        if (schedule.oldest == schedule.l_words) {
            schedule.oldest = 0;
        }
    }
    tatu_wipe(&schedule, sizeof schedule);
}

void tatu_internal_speck64_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_words, uint8_t rounds)
{
    make_last_key(last_key, key, key_words, rounds);
    tatu_internal_wipe_stack(TATU_INTERNAL_SPECK64_STACK_BYTES);
}
