/* CCM encryption of a whole message (SP 800-38C, section 6.1). */
#define TATU_INTERNAL_CCM_DECRYPTS 0
#include "ccm_message.h"

#include <string.h>

#include "../common/wipe_stack.h"

int tatu_ccm_encrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length,
                     const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                     size_t nonce_length, uint8_t *tag, size_t tag_length)
{
    struct tatu_internal_ccm ccm;
    int result = tatu_internal_ccm_start(&ccm, cipher, length, associated_data, associated_data_length, nonce,
                                         nonce_length, tag_length);

    if (result != TATU_OK) {
        tatu_wipe(output, length);
        tatu_wipe(tag, tag_length);
        return result;
    }
    crypt_message(&ccm, output, input, length);
    tatu_internal_ccm_finish(&ccm);
    memcpy(tag, ccm.mac, tag_length);
    tatu_wipe(&ccm, sizeof ccm);
    tatu_internal_wipe_stack(TATU_INTERNAL_CCM_STACK_BYTES);
    return TATU_OK;
}
