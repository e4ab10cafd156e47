/* The beginning and the end of an Ascon-AEAD128 message, portable (NIST SP 800-232, section 4.1.1). On AVR:
 * ascon_aead128_avr.S. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_PORTABLE)

#include "../ascon_internal.h"

#include <string.h>

#include "../../common/bytes.h"

/* Variant 1, 12 and 8 rounds, tag of 128 bits, rate of 16 bytes (section 4.1.1). */
#define INITIAL_VALUE UINT64_C(0x00001000808c0001)

void tatu_internal_ascon_aead128_start(uint8_t state[40], const uint8_t key[16], const uint8_t nonce[16])
{
    tatu_internal_store64_le(state, INITIAL_VALUE);
    memcpy(state + 8, key, 16);
    memcpy(state + 24, nonce, 16);
    tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
    tatu_internal_xor(state + 24, key, 16);
}

void tatu_internal_ascon_aead128_finish(uint8_t state[40], uint8_t position, const uint8_t key[16])
{
    tatu_internal_ascon_pad(state, position);
    tatu_internal_xor(state + 16, key, 16);
    tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
    tatu_internal_xor(state + TATU_INTERNAL_ASCON_AEAD_TAG, key, 16);
}

#else
typedef int tatu_internal_ascon_aead128_is_in_assembly;
#endif
