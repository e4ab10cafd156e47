#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "speck128_internal.h"

static TATU_INTERNAL_FRAME_OF_ITS_OWN void decrypt(const uint8_t *last_key, uint8_t key_words, uint8_t rounds,
                                                   uint8_t output[16], const uint8_t input[16])
{
    struct tatu_internal_speck128_block block = tatu_internal_speck128_load(input);
    struct tatu_internal_speck128_schedule schedule;

    /* The last key lists l[R - 1] first, as a key lists l[0], so it loads like one; only the round differs. */
    tatu_internal_speck128_schedule_begin(&schedule, last_key, key_words);
    schedule.round = (uint8_t)(rounds - 1);
    tatu_internal_speck128_inverse_round(&block.x, &block.y, schedule.k);
    while (--rounds > 0) {
        tatu_internal_speck128_schedule_previous(&schedule);
        tatu_internal_speck128_inverse_round(&block.x, &block.y, schedule.k);
    }
    tatu_internal_speck128_store(output, &block);
    tatu_wipe(&schedule, sizeof schedule);
}

void tatu_internal_speck128_decrypt_on_the_fly(const uint8_t *last_key, uint8_t key_words, uint8_t rounds,
                                               uint8_t output[16], const uint8_t input[16])
{
    decrypt(last_key, key_words, rounds, output, input);
    tatu_internal_wipe_stack(TATU_INTERNAL_SPECK128_STACK_BYTES);
}
