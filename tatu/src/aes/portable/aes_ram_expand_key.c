#include <string.h>

#include <tatu/aes.h>

#include "../../common/wipe_stack.h"
#include "../aes_internal.h"
#include "../aes_ram.h"

#if defined(TATU_INTERNAL_AES_RAM_TABLES)

#define STACK_BYTES 160

static uint32_t substitute_word(uint32_t word)
{
    uint32_t substituted = 0;

    for (unsigned bits = 0; bits < 32; bits += 8) {
        substituted |= (tatu_internal_aes_ram_table[word >> bits & 0xff] & 0xff) << bits;
    }
    return substituted;
}

/* KeyExpansion (FIPS 197, section 5.2), then the keys of the equivalent inverse cipher in its order (section 5.3.5).
 * The last key of encryption is its first, and stands already where it must. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void expand_key(uint32_t *w, const uint8_t *key, uint8_t key_bytes)
{
    const unsigned key_words = key_bytes / 4u;
    const unsigned last_key = 4u * tatu_internal_aes_rounds(key_bytes);
    uint32_t *inverse = w + last_key + 4;
    uint8_t round_constant = 1;
    unsigned phase = 0;

    memcpy(w, key, key_bytes); /* row 0 is the lowest byte of a word, and the machine's lowest byte is its first */
    for (unsigned i = key_words; i < last_key + 4; i++) {
        uint32_t word = w[i - 1];

        if (phase == 0) { /* SubWord(RotWord) and Rcon */
            word = substitute_word(tatu_internal_aes_rotate_right(word, 8)) ^ round_constant;
            round_constant = tatu_internal_aes_xtime(round_constant);
        } else if (key_words == 8 && phase == 4) {
            word = substitute_word(word);
        }
        w[i] = w[i - key_words] ^ word;
        phase = phase + 1 == key_words ? 0 : phase + 1;
    }
    for (unsigned i = last_key - 4; i > 0; i -= 4) {
        struct tatu_internal_aes_state state;

        memcpy(state.cells, w + i, sizeof state.cells);
        tatu_internal_aes_inverse_mix_columns(&state);
        memcpy(inverse, state.cells, sizeof state.cells);
        inverse += 4;
    }
    memcpy(inverse, w, 16);
}

void tatu_internal_aes_ram_expand_key(uint32_t *round_keys, const uint8_t *key, uint8_t key_bytes)
{
    expand_key(round_keys, key, key_bytes);
    tatu_internal_wipe_stack(STACK_BYTES);
}

#else
typedef int tatu_internal_aes_ram_expand_key_is_elsewhere;
#endif
