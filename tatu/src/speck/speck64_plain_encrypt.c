/* On AVR with MUL: speck64_plain_encrypt_avr.S */
#if !defined(__AVR__) || !defined(__AVR_HAVE_MUL__) || defined(TATU_PORTABLE)

#include <tatu/speck.h>

#include "speck64_internal.h"

void tatu_speck64_128_encrypt(const struct tatu_speck64_128 *context, uint8_t output[8], const uint8_t input[8])
{
    tatu_internal_speck64_encrypt(context->round_keys, 27, output, input);
}

#else
typedef int tatu_internal_speck64_plain_encrypt_is_in_assembly;
#endif
