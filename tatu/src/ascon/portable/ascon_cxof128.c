/* Ascon-CXOF128 (NIST SP 800-232, section 5.3). After its customization it is Ascon-XOF128. */
#include "../ascon_internal.h"

#include <string.h>

#include <tatu/wipe.h>

/* The initial value, 0x0000080000cc0004, without its zeros */
#define INITIAL_BYTE_0 0x04
#define INITIAL_BYTE_2 0xcc
#define INITIAL_BYTE_5 0x08

int tatu_ascon_cxof128_init(struct tatu_ascon_xof128 *xof, const uint8_t *customization, size_t customization_length)
{
    uint8_t position;

    if (customization_length > TATU_ASCON_CXOF128_LONGEST_CUSTOMIZATION_BYTES) {
        tatu_wipe(xof, sizeof *xof);
        return TATU_ERR_LENGTH;
    }
    for (uint8_t i = 0; i < TATU_ASCON_STATE_BYTES; i++) {
        xof->state[i] = tatu_internal_ascon_inversion(i);
    }
    xof->state[0] = INITIAL_BYTE_0;
    xof->state[2] = INITIAL_BYTE_2;
    xof->state[5] = INITIAL_BYTE_5;
    tatu_internal_ascon_permute(xof->state, TATU_INTERNAL_ASCON_12_ROUNDS);
    /* the first block is the customization's length in bits, little-endian */
    xof->state[0] = (uint8_t)(xof->state[0] ^ customization_length << 3);
    xof->state[1] = (uint8_t)(xof->state[1] ^ customization_length >> 5);
    tatu_internal_ascon_permute(xof->state, TATU_INTERNAL_ASCON_12_ROUNDS);
    position =
        tatu_internal_ascon_absorb(xof->state, 0, TATU_INTERNAL_ASCON_HASH_RATE, customization, customization_length);
    tatu_internal_ascon_pad(xof->state, position);
    tatu_internal_ascon_permute(xof->state, TATU_INTERNAL_ASCON_12_ROUNDS);
    xof->position = TATU_INTERNAL_ASCON_OPEN;
    return TATU_OK;
}

int tatu_ascon_cxof128(uint8_t *output, size_t output_length, const uint8_t *input, size_t length,
                       const uint8_t *customization, size_t customization_length)
{
    struct tatu_ascon_xof128 xof;
    const int result = tatu_ascon_cxof128_init(&xof, customization, customization_length);

    tatu_ascon_xof128_update(&xof, input, length);
    tatu_ascon_xof128_final(&xof, output, output_length); /* zeros after an error */
    return result;
}
