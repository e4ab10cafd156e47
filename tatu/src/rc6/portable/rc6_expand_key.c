#include <tatu/wipe.h>

#include "../../common/wipe_stack.h"
#include "../rc6_internal.h"

#define KEY_WORDS_MAX 8

/* The paper, section 2.2: round keys that start as an arithmetic progression are mixed with the key's words, three
 * times round. P32 and Q32 are made of the digits of e - 2 and of the golden ratio - 1. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words)
{
    uint32_t words[KEY_WORDS_MAX];
    uint32_t start = UINT32_C(0xb7e15163);
    uint32_t a = 0;
    uint32_t b = 0;
    uint8_t j = 0;

    for (uint8_t i = 0; i < key_words; i++) {
        words[i] = tatu_internal_load32_le(key + 4 * i);
    }
    for (uint8_t i = 0; i < TATU_INTERNAL_RC6_ROUND_KEYS; i++) {
        tatu_internal_store32_le(round_keys + 4 * i, start);
        start += UINT32_C(0x9e3779b9);
    }
    for (uint8_t pass = 0; pass < 3; pass++) {
        for (uint8_t i = 0; i < TATU_INTERNAL_RC6_ROUND_KEYS; i++) {
            a = tatu_internal_rc6_rotate_left(tatu_internal_load32_le(round_keys + 4 * i) + a + b, 3);
            tatu_internal_store32_le(round_keys + 4 * i, a);
            b = tatu_internal_rc6_rotate_left_secret(words[j] + a + b, a + b);
            words[j] = b;
            j++;
            if (j == key_words) {
                j = 0;
            }
        }
    }
    tatu_wipe(words, sizeof words);
}

void tatu_internal_rc6_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words)
{
    expand_key(round_keys, key, key_words);
    tatu_internal_wipe_stack(96);
}
