/* CCM decryption of a whole message (SP 800-38C, section 6.2).
 *
 * The function decrypts into `output` while it computes the tag. A separate pass for the tag would cost half as much
 * again. If the tag does not verify, `output` is wiped, so the caller gets no plaintext. */
#define TATU_INTERNAL_CCM_DECRYPTS 1
#include "ccm_message.h"

#include "../common/equal.h"
#include "../common/wipe_stack.h"

int tatu_ccm_decrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length,
                     const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                     size_t nonce_length, const uint8_t *tag, size_t tag_length)
{
    struct tatu_internal_ccm ccm;
    int result = tatu_internal_ccm_start(&ccm, cipher, length, associated_data, associated_data_length, nonce,
                                         nonce_length, tag_length);

    if (result == TATU_OK) {
        crypt_message(&ccm, output, input, length);
        tatu_internal_ccm_finish(&ccm);
        if (!tatu_internal_equal(ccm.mac, tag, tag_length)) {
            result = TATU_ERR_AUTHENTICATION;
        }
        tatu_wipe(&ccm, sizeof ccm);
    }
    if (result != TATU_OK) {
        tatu_wipe(output, length);
    }
    tatu_internal_wipe_stack(TATU_INTERNAL_CCM_STACK_BYTES);
    return result;
}
