#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "speck128_internal.h"

static TATU_INTERNAL_FRAME_OF_ITS_OWN void encrypt(const uint8_t *key, uint8_t key_words, uint8_t rounds,
                                                   uint8_t output[16], const uint8_t input[16])
{
    struct tatu_internal_speck128_block block = tatu_internal_speck128_load(input);
    struct tatu_internal_speck128_schedule schedule;

    tatu_internal_speck128_schedule_begin(&schedule, key, key_words);
    tatu_internal_speck128_round(&block.x, &block.y, schedule.k);
    while (--rounds > 0) {
        tatu_internal_speck128_schedule_next(&schedule);
        tatu_internal_speck128_round(&block.x, &block.y, schedule.k);
    }
    tatu_internal_speck128_store(output, &block);
    tatu_wipe(&schedule, sizeof schedule);
}

void tatu_internal_speck128_encrypt_on_the_fly(const uint8_t *key, uint8_t key_words, uint8_t rounds,
                                               uint8_t output[16], const uint8_t input[16])
{
    encrypt(key, key_words, rounds, output, input);
    tatu_internal_wipe_stack(TATU_INTERNAL_SPECK128_STACK_BYTES);
}
