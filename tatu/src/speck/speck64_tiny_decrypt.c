#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck64_tiny_decrypt_avr.S */

#include <tatu/speck.h>

#include <tatu/wipe.h>

#include "speck64_internal.h"

static void decrypt(const uint8_t *key, uint8_t key_words, uint8_t rounds, uint8_t output[8], const uint8_t input[8])
{
    uint8_t last_key[4 * 4];

    tatu_internal_speck64_last_key(last_key, key, key_words, rounds);
    tatu_internal_speck64_decrypt_on_the_fly(last_key, key_words, rounds, output, input);
    tatu_wipe(last_key, sizeof last_key);
}

void tatu_speck64_128_tiny_decrypt(const struct tatu_speck64_128_tiny *context, uint8_t output[8],
                                   const uint8_t input[8])
{
    decrypt(context->key, 4, 27, output, input);
}

#else
typedef int tatu_internal_speck64_tiny_decrypt_is_in_assembly;
#endif
