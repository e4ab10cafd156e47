/* Random bytes that the host seeds, so that a run can be repeated and no library's own generator is timed with a
 * signature. Included by the one operations file that needs it. */
#ifndef BANCADA_ENTROPY_FROM_HOST_H
#define BANCADA_ENTROPY_FROM_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* G. Marsaglia, "Xorshift RNGs" (2003), section 4: four words of state, a few instructions for four bytes. The bytes
 * must differ from call to call and repeat with the host's seed, no more. */
static uint32_t entropy_seed[4];
static uint32_t entropy_state[4];

static inline uint32_t entropy_next_word(void)
{
    uint32_t t = entropy_state[0] ^ (entropy_state[0] << 11);
    entropy_state[0] = entropy_state[1];
    entropy_state[1] = entropy_state[2];
    entropy_state[2] = entropy_state[3];
    entropy_state[3] ^= (entropy_state[3] >> 19) ^ t ^ (t >> 8);
    return entropy_state[3];
}

/* Begins again at the host's seed. */
static inline void entropy_restart(void)
{
    memcpy(entropy_state, entropy_seed, sizeof entropy_state);
    entropy_state[0] |= 1; /* all zeros would stay all zeros */
}

int bancada_entropy(void *state, uint8_t *output, size_t length)
{
    uint32_t word = 0;
    (void)state;
    for (size_t i = 0; i < length; i++) {
        word = i % 4 == 0 ? entropy_next_word() : word >> 8;
        output[i] = (uint8_t)word;
    }
    return 0;
}

#endif
