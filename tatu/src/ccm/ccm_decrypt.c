/* CCM decryption of a whole message (SP 800-38C, section 6.2).
 *
 * The message is decrypted to `output` on the way to the tag (a pass of its own for the tag would cost half as much
 * again) and is wiped again if the tag does not hold: the caller gets nothing. */
#include "ccm_internal.h"

#include <tatu/wipe.h>

#include "../common/batch.h"
#include "../common/bytes.h"
#include "../common/equal.h"
#include "../common/wipe_stack.h"

#if defined(TATU_INTERNAL_PAIRS)
/* With a cipher that takes two blocks for the price of one: what protects a block together with what hides the next. */
static void decrypt_in_pairs(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    const uint8_t *const key_stream = ccm->mac + TATU_INTERNAL_CCM_BLOCK_BYTES;

    while (length > 0) {
        const size_t taken = length < TATU_INTERNAL_CCM_BLOCK_BYTES ? length : TATU_INTERNAL_CCM_BLOCK_BYTES;

        tatu_internal_xor_long(output, input, key_stream, taken);
        tatu_internal_xor_long(ccm->mac, ccm->mac, output, taken);
        output += taken;
        input += taken;
        length -= taken;
        tatu_internal_ccm_next_pair(ccm, length);
    }
}
#elif defined(TATU_INTERNAL_MANY_BLOCKS)
/* With a cipher that takes many blocks: so many at once to hide the message; to protect it, one after the other. */
static void decrypt_in_batches(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_INTERNAL_BATCH_BLOCKS * TATU_INTERNAL_CCM_BLOCK_BYTES];

    while (length > 0) {
        const size_t taken = length < sizeof key_stream ? length : sizeof key_stream;

        tatu_internal_ccm_long_key_stream(ccm, key_stream, taken);
        tatu_internal_xor_long(output, input, key_stream, taken);
        tatu_internal_ccm_authenticate(ccm, output, taken);
        output += taken;
        input += taken;
        length -= taken;
    }
    tatu_wipe(key_stream, sizeof key_stream);
}
#endif

static void decrypt_message(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_INTERNAL_CCM_BLOCK_BYTES];

#if defined(TATU_INTERNAL_PAIRS)
    if (ccm->cipher.encrypt_blocks != NULL) {
        decrypt_in_pairs(ccm, output, input, length);
        return;
    }
#elif defined(TATU_INTERNAL_MANY_BLOCKS)
    if (ccm->cipher.encrypt_blocks != NULL) {
        decrypt_in_batches(ccm, output, input, length);
        return;
    }
#endif
    while (length > 0) {
        uint8_t taken = (uint8_t)(length < sizeof key_stream ? length : sizeof key_stream);
        tatu_internal_ccm_next_key_stream(ccm, key_stream);
        for (uint8_t i = 0; i < taken; i++) {
            output[i] = (uint8_t)(input[i] ^ key_stream[i]);
            ccm->mac[i] ^= output[i];
        }
        tatu_internal_ccm_next_mac(ccm);
        output += taken;
        input += taken;
        length -= taken;
    }
    tatu_wipe(key_stream, sizeof key_stream);
}

int tatu_ccm_decrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length,
                     const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                     size_t nonce_length, const uint8_t *tag, size_t tag_length)
{
    struct tatu_internal_ccm ccm;
    int result = tatu_internal_ccm_start(&ccm, cipher, length, associated_data, associated_data_length, nonce,
                                         nonce_length, tag_length);

    if (result == TATU_OK) {
        decrypt_message(&ccm, output, input, length);
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
