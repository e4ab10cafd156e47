#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "speck64_internal.h"

/* The paper, section 4.2. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words, uint8_t rounds)
{
    struct tatu_internal_speck64_schedule schedule;

    tatu_internal_speck64_schedule_begin(&schedule, key, key_words);
    tatu_internal_store32_le(round_keys, schedule.k);
    while (--rounds > 0) {
        round_keys += 4;
        tatu_internal_speck64_schedule_next(&schedule);
        tatu_internal_store32_le(round_keys, schedule.k);
    }
    tatu_wipe(&schedule, sizeof schedule);
}

void tatu_internal_speck64_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words, uint8_t rounds)
{
    expand_key(round_keys, key, key_words, rounds);
    tatu_internal_wipe_stack(TATU_INTERNAL_SPECK64_STACK_BYTES);
}
