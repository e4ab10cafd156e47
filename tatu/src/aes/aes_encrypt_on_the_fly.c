#include <string.h>

#include <tatu/wipe.h>

#include "../common/bytes.h"
#include "aes_schedule.h"

/* The last Nk words of the expanded key, in a ring: word w[i] lies at byte 4(i mod Nk). */
struct window {
    uint8_t words[TATU_INTERNAL_AES_MAX_KEY_BYTES];
    uint8_t key_bytes;
    uint8_t position; /* of the next word to use */
    uint8_t round_constant;
    uint8_t is_first_lap; /* the ring still holds the key itself */
};

static void add_round_key(uint8_t state[16], struct window *window)
{
    for (uint8_t column = 0; column < 16; column = (uint8_t)(column + 4)) {
        uint8_t *const word = window->words + window->position;

        if (!window->is_first_lap) {
            const uint8_t previous = (uint8_t)((window->position == 0 ? window->key_bytes : window->position) - 4);

            tatu_internal_aes_schedule_step(word, window->words + previous, window->position, window->key_bytes,
                                            window->round_constant, tatu_internal_aes_substitute);
            if (window->position == 0) {
                window->round_constant = tatu_internal_aes_xtime(window->round_constant);
            }
        }
        tatu_internal_xor(state + column, word, 4);
        window->position = (uint8_t)(window->position + 4);
        if (window->position == window->key_bytes) {
            window->position = 0;
            window->is_first_lap = 0;
        }
    }
}

/* Cipher with KeyExpansion in step, FIPS 197, sections 5.1 and 5.2. */
void tatu_internal_aes_encrypt_on_the_fly(const uint8_t *key, uint8_t key_bytes, uint8_t output[16],
                                          const uint8_t input[16])
{
    const uint8_t rounds = tatu_internal_aes_rounds(key_bytes);
    struct window window;

    memcpy(window.words, key, key_bytes);
    window.key_bytes = key_bytes;
    window.position = 0;
    window.round_constant = 1;
    window.is_first_lap = 1;

    memmove(output, input, 16);
    add_round_key(output, &window);
    for (uint8_t round = 1; round <= rounds; round++) {
        tatu_internal_aes_substitute(output, 16);
        tatu_internal_aes_shift_rows(output);
        if (round != rounds) {
            tatu_internal_aes_mix_columns(output);
        }
        add_round_key(output, &window);
    }
    tatu_wipe(&window, sizeof window);
}
