#include <string.h>

#include <tatu/wipe.h>

#include "../../common/wipe_stack.h"
#include "../aes_internal.h"
#include "../aes_backend.h"

/* The stack of the functions below, the substitutions included. */
#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)
#define STACK_BYTES 384
#else
#define STACK_BYTES 320
#endif

/* A window of Nk words that slides down the expanded key, in a ring. */
struct window {
    uint8_t words[TATU_INTERNAL_AES_MAX_KEY_BYTES];
    uint8_t key_bytes;
    uint8_t position; /* of the word in use, w[i] */
    uint8_t phase;    /* 4(i mod Nk) */
    uint8_t round_constant;
    uint8_t left; /* bytes of the expanded key below the window */
};

/* Multiplies by 1/x in GF(2^8), the inverse of tatu_internal_aes_xtime. */
static uint8_t divide_by_x(uint8_t byte)
{
    return (uint8_t)((uint8_t)(byte >> 1) ^ (uint8_t)((byte & 1) * 0x8d));
}

static void add_round_key(struct tatu_internal_aes_state *state, struct window *window)
{
    for (uint8_t column = 4; column > 0; column--) {
        uint8_t *const word = window->words + window->position;
        const uint8_t below = (uint8_t)((window->position == 0 ? window->key_bytes : window->position) - 4);

        tatu_internal_aes_add_column(state, (uint8_t)(column - 1), word);
        if (window->left > 0) {
            tatu_internal_aes_schedule_step(word, window->words + below, window->phase, window->key_bytes,
                                            window->round_constant, tatu_internal_aes_substitute);
            window->left = (uint8_t)(window->left - 4);
        }
        if (window->phase == 0) {
            window->phase = window->key_bytes;
            window->round_constant = divide_by_x(window->round_constant);
        }
        window->phase = (uint8_t)(window->phase - 4);
        window->position = below;
    }
}

/* InvCipher with KeyExpansion computed backwards, FIPS 197, sections 5.3 and 5.2. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void decrypt(const uint8_t *last_key, uint8_t key_bytes, uint8_t output[16],
                                                   const uint8_t input[16])
{
    const uint8_t rounds = tatu_internal_aes_rounds(key_bytes);
    const uint8_t expanded_bytes = (uint8_t)(16 * (rounds + 1));
    struct tatu_internal_aes_state state;
    struct window window;

    memcpy(window.words, last_key, key_bytes);
    window.key_bytes = key_bytes;
    window.position = (uint8_t)(key_bytes - 4);
    window.phase = (uint8_t)((expanded_bytes - 4) % key_bytes);
    window.left = (uint8_t)(expanded_bytes - key_bytes);
    /* Rcon of the last lap: the 10th, 8th or 7th (FIPS 197, section 5.2) */
    window.round_constant = key_bytes == 16 ? 0x36 : key_bytes == 24 ? 0x80 : 0x40;

    tatu_internal_aes_load(&state, input);
    add_round_key(&state, &window);
    for (uint8_t round = rounds; round > 0; round--) {
        if (round != rounds) {
            tatu_internal_aes_inverse_mix_columns(&state);
        }
        tatu_internal_aes_inverse_shift_rows(&state);
        tatu_internal_aes_inverse_substitute(state.cells, TATU_INTERNAL_AES_CELLS);
        add_round_key(&state, &window);
    }
    tatu_internal_aes_store(output, &state);
    tatu_wipe(&state, sizeof state);
    tatu_wipe(&window, sizeof window);
}

void tatu_internal_aes_decrypt_on_the_fly(const uint8_t *last_key, uint8_t key_bytes, uint8_t output[16],
                                          const uint8_t input[16])
{
    decrypt(last_key, key_bytes, output, input);
    tatu_internal_wipe_stack(STACK_BYTES);
}
