#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck128_tiny_decrypt_avr.S, ..._ring_avr.S */

#include <tatu/speck.h>

#include <tatu/wipe.h>

#include "speck128_internal.h"

static void decrypt(const uint8_t *key, uint8_t key_words, uint8_t rounds, uint8_t output[16], const uint8_t input[16])
{
    uint8_t last_key[8 * 4];

    tatu_internal_speck128_last_key(last_key, key, key_words, rounds);
    tatu_internal_speck128_decrypt_on_the_fly(last_key, key_words, rounds, output, input);
    tatu_wipe(last_key, sizeof last_key);
}

void tatu_speck128_128_tiny_decrypt(const struct tatu_speck128_128_tiny *context, uint8_t output[16],
                                    const uint8_t input[16])
{
    decrypt(context->key, 2, 32, output, input);
}

void tatu_speck128_192_tiny_decrypt(const struct tatu_speck128_192_tiny *context, uint8_t output[16],
                                    const uint8_t input[16])
{
    decrypt(context->key, 3, 33, output, input);
}

void tatu_speck128_256_tiny_decrypt(const struct tatu_speck128_256_tiny *context, uint8_t output[16],
                                    const uint8_t input[16])
{
    decrypt(context->key, 4, 34, output, input);
}

#else
typedef int tatu_internal_speck128_tiny_decrypt_is_in_assembly;
#endif
