#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED)

#include <tatu/wipe.h>

#include "../../common/wipe_stack.h"
#include "../aes_fixsliced_planes.h"
#include "../aes_internal.h"

#define STACK_BYTES 256

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB2)

uint32_t tatu_internal_aes_fixsliced_substitute_word(uint32_t word);
void tatu_internal_aes_fixsliced_slice(uint32_t *planes, const uint32_t *columns, unsigned turn, uint32_t constant);

#define substitute_word tatu_internal_aes_fixsliced_substitute_word
#define slice tatu_internal_aes_fixsliced_slice

#else

/* SubWord (FIPS 197, section 5.2). Bit i of each byte goes to the lowest bit of its byte in plane i: no
 * transposition is needed. The other bits are zeros, which the S-box without its constant leaves zeros. */
static uint32_t substitute_word(uint32_t word)
{
    const uint32_t lowest = UINT32_C(0x01010101);
    struct tatu_internal_aes_planes planes;

    for (unsigned i = 0; i < 8; i++) {
        planes.plane[i] = word >> i & lowest;
    }
    tatu_internal_aes_planes_substitute_without_constant(&planes);
    word = UINT32_C(0x63636363);
    for (unsigned i = 0; i < 8; i++) {
        word ^= planes.plane[i] << i;
    }
    return word;
}

/* The planes of one round key, in both blocks, after `turn` turns. `planes` may lie over `columns`. */
static void slice(uint32_t *planes, const uint32_t *columns, unsigned turn, uint32_t constant)
{
    const uint32_t row = 0xff;
    uint32_t given[4] = {columns[0] ^ constant, columns[1] ^ constant, columns[2] ^ constant, columns[3] ^ constant};

    for (unsigned i = 0; i < 4; i++) {
        const uint32_t turned = (given[i] & row) | (given[(i - turn) % 4] & row << 8) |
                                (given[(i - 2 * turn) % 4] & row << 16) | (given[(i - 3 * turn) % 4] & row << 24);

        planes[2 * i] = turned;
        planes[2 * i + 1] = turned;
    }
    tatu_internal_aes_transpose_bytes(planes);
    tatu_wipe(given, sizeof given);
}

#endif

/* KeyExpansion, section 5.2. The words w are written to the second half of what will be the planes' place, which
 * they fill: planes take twice their room, so that each round key's overwrite no word that a later one still needs. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void expand_key(uint32_t *round_keys, const uint8_t *key, uint8_t key_bytes)
{
    const unsigned key_words = key_bytes / 4u;
    const unsigned round_key_count = tatu_internal_aes_rounds(key_bytes) + 1u;
    const unsigned word_count = 4 * round_key_count;
    uint32_t *const w = round_keys + word_count;
    uint8_t round_constant = 1;
    unsigned phase = 0;

    for (unsigned i = 0; i < key_words; i++) {
        w[i] = tatu_internal_load32_le(key + 4 * i);
    }
    for (unsigned i = key_words; i < word_count; i++) {
        uint32_t word = w[i - 1];

        if (phase == 0) { /* SubWord(RotWord) and Rcon */
            word = substitute_word(tatu_internal_aes_turn_word(word, 8)) ^ round_constant;
            round_constant = tatu_internal_aes_xtime(round_constant);
        } else if (key_words == 8 && phase == 4) {
            word = substitute_word(word);
        }
        w[i] = w[i - key_words] ^ word;
        phase = phase + 1 == key_words ? 0 : phase + 1;
    }
    for (unsigned i = 0; i < round_key_count; i++) {
        slice(round_keys + TATU_INTERNAL_AES_PLANES * i, w + 4 * i, i % 4, i == 0 ? 0 : UINT32_C(0x63636363));
    }
}

void tatu_internal_aes_fixsliced_expand_key(uint32_t *round_keys, const uint8_t *key, uint8_t key_bytes)
{
    expand_key(round_keys, key, key_bytes);
    tatu_internal_wipe_stack(STACK_BYTES);
}

#else
typedef int tatu_internal_aes_fixsliced_expand_key_is_elsewhere;
#endif
