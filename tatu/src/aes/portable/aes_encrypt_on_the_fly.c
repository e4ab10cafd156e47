#include <string.h>

#include <tatu/wipe.h>

#include "../../common/wipe_stack.h"
#include "../aes_internal.h"
#include "../aes_backend.h"

/* The stack of the functions below, the substitutions included. */
#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)
#define STACK_BYTES 384
#else
#define STACK_BYTES 352
#endif

/* The last Nk words of the expanded key, in a ring: word w[i] lies at byte 4(i mod Nk). */
struct window {
    uint8_t words[TATU_INTERNAL_AES_MAX_KEY_BYTES];
    uint8_t key_bytes;
    uint8_t position; /* of the next word to use */
    uint8_t round_constant;
    uint8_t is_first_lap; /* the ring still holds the key itself */
};

static void add_round_key(struct tatu_internal_aes_state *state, struct window *window)
{
    for (uint8_t column = 0; column < 4; column++) {
        uint8_t *const word = window->words + window->position;

        if (!window->is_first_lap) {
            const uint8_t previous = (uint8_t)((window->position == 0 ? window->key_bytes : window->position) - 4);

            tatu_internal_aes_schedule_step(word, window->words + previous, window->position, window->key_bytes,
                                            window->round_constant, tatu_internal_aes_substitute);
            if (window->position == 0) {
                window->round_constant = tatu_internal_aes_xtime(window->round_constant);
            }
        }
        tatu_internal_aes_add_column(state, column, word);
        window->position = (uint8_t)(window->position + 4);
        if (window->position == window->key_bytes) {
            window->position = 0;
            window->is_first_lap = 0;
        }
    }
}

/* Cipher with KeyExpansion in step, FIPS 197, sections 5.1 and 5.2. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void encrypt(const uint8_t *key, uint8_t key_bytes, uint8_t output[16],
                                                   const uint8_t input[16])
{
    const uint8_t rounds = tatu_internal_aes_rounds(key_bytes);
    struct tatu_internal_aes_state state;
    struct window window;

    memcpy(window.words, key, key_bytes);
    window.key_bytes = key_bytes;
    window.position = 0;
    window.round_constant = 1;
    window.is_first_lap = 1;

    tatu_internal_aes_load(&state, input);
    add_round_key(&state, &window);
    for (uint8_t round = 1; round <= rounds; round++) {
        tatu_internal_aes_substitute(state.cells, TATU_INTERNAL_AES_CELLS);
        tatu_internal_aes_shift_rows(&state);
        if (round != rounds) {
            tatu_internal_aes_mix_columns(&state);
        }
        add_round_key(&state, &window);
    }
    tatu_internal_aes_store(output, &state);
    tatu_wipe(&state, sizeof state);
    tatu_wipe(&window, sizeof window);
}

void tatu_internal_aes_encrypt_on_the_fly(const uint8_t *key, uint8_t key_bytes, uint8_t output[16],
                                          const uint8_t input[16])
{
    encrypt(key, key_bytes, output, input);
    tatu_internal_wipe_stack(STACK_BYTES);
}
