/* Whole blocks through Ascon's sponge, portable (NIST SP 800-232, sections 4.1 and 5). On AVR: ascon_blocks_avr.S. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_PORTABLE)

#include "../ascon_internal.h"

#include "../../common/bytes.h"

#if defined(__AVR__) /* which computes by bytes */

void tatu_internal_ascon_absorb_blocks(uint8_t state[40], uint8_t rate, const uint8_t *input, const uint8_t *end)
{
    do {
        tatu_internal_xor(state, input, 8);
        if (rate == TATU_INTERNAL_ASCON_AEAD_RATE) {
            tatu_internal_xor(state + 8, input + 8, 8);
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
        } else {
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
        }
        input += rate;
    } while (input != end);
}

void tatu_internal_ascon_encrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t *end)
{
    do {
        for (uint8_t i = 0; i < TATU_INTERNAL_ASCON_AEAD_RATE; i++) {
            state[i] ^= *input++;
            *output++ = state[i];
        }
        tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
    } while (input != end);
}

void tatu_internal_ascon_decrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t *end)
{
    do {
        for (uint8_t i = 0; i < TATU_INTERNAL_ASCON_AEAD_RATE; i++) {
            const uint8_t ciphertext = *input++;
            *output++ = state[i] ^ ciphertext;
            state[i] = ciphertext;
        }
        tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
    } while (input != end);
}

#else

/* state ^= 8 bytes, which are returned. */
static uint64_t add(uint8_t state[8], const uint8_t bytes[8])
{
    const uint64_t sum = tatu_internal_load64_le(state) ^ tatu_internal_load64_le(bytes);
    tatu_internal_store64_le(state, sum);
    return sum;
}

void tatu_internal_ascon_absorb_blocks(uint8_t state[40], uint8_t rate, const uint8_t *input, const uint8_t *end)
{
    do {
        (void)add(state, input);
        if (rate == TATU_INTERNAL_ASCON_AEAD_RATE) {
            (void)add(state + 8, input + 8);
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
        } else {
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
        }
        input += rate;
    } while (input != end);
}

void tatu_internal_ascon_encrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t *end)
{
    do {
        const uint64_t first = add(state, input);
        const uint64_t second = add(state + 8, input + 8);
        tatu_internal_store64_le(output, first);
        tatu_internal_store64_le(output + 8, second);
        output += TATU_INTERNAL_ASCON_AEAD_RATE;
        input += TATU_INTERNAL_ASCON_AEAD_RATE;
        tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
    } while (input != end);
}

void tatu_internal_ascon_decrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t *end)
{
    do {
        const uint64_t first = tatu_internal_load64_le(input);
        const uint64_t second = tatu_internal_load64_le(input + 8);
        tatu_internal_store64_le(output, first ^ tatu_internal_load64_le(state));
        tatu_internal_store64_le(output + 8, second ^ tatu_internal_load64_le(state + 8));
        tatu_internal_store64_le(state, first);
        tatu_internal_store64_le(state + 8, second);
        output += TATU_INTERNAL_ASCON_AEAD_RATE;
        input += TATU_INTERNAL_ASCON_AEAD_RATE;
        tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
    } while (input != end);
}

#endif

#else
typedef int tatu_internal_ascon_blocks_is_in_assembly;
#endif
