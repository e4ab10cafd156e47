#include "core/derive.h"

#include <string.h>

#include <tatu/wipe.h>
#include <tatulink/bytes.h>
#include <tatulink/suite.h>

bool derive_key(uint8_t key[FRAME_KEY_BYTES], const struct identity *identity, uint8_t purpose, uint32_t number)
{
    const struct tatulink_sealer *sealer = identity->suite == FRAME_SUITE_ASCON     ? &tatulink_ascon_sealer
                                           : identity->suite == FRAME_SUITE_AES_CCM ? &tatulink_aes_ccm_sealer
                                                                                    : 0;
    uint8_t nonce[TATULINK_NONCE_BYTES] = {0};
    uint8_t derived[FRAME_KEY_BYTES];
    /* No text: input and output are places that nothing is read from or written to. */
    struct tatulink_sealing sealing = {identity->key,      nonce, nonce,          nonce, derived,
                                       FRAME_HEADER_BYTES, 0,     FRAME_KEY_BYTES};

    nonce[0] = purpose;
    nonce[1] = (uint8_t)((uint8_t)(identity->suite << 4) | identity->epoch);
    put_u16(nonce + 2, identity->device);
    put_u32(nonce + 4, number);
    bool made = sealer != 0 && sealer->seal(&sealing, derived);
    if (made) {
        memcpy(key, derived, FRAME_KEY_BYTES);
    } else {
        memset(key, 0, FRAME_KEY_BYTES);
    }
    tatu_wipe(derived, sizeof derived);
    return made;
}
