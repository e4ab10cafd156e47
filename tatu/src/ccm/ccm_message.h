/* The payload of a CCM message, in one direction (SP 800-38C, sections 6.1 and 6.2). The CBC-MAC takes the plaintext:
 * the input of encryption, the output of decryption.
 *
 * A file that includes this one defines TATU_INTERNAL_CCM_DECRYPTS as 0 or 1. */
#include "ccm_internal.h"

#include <tatu/wipe.h>

#include "../common/batch.h"
#include "../common/bytes.h"

#if defined(TATU_INTERNAL_PAIRS)
/* For a cipher that encrypts two blocks in the time of one: one call encrypts the CBC-MAC of a block and the next
 * counter block. */
static void crypt_in_pairs(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    const uint8_t *const key_stream = ccm->mac + TATU_INTERNAL_CCM_BLOCK_BYTES;

    while (length > 0) {
        const size_t taken = length < TATU_INTERNAL_CCM_BLOCK_BYTES ? length : TATU_INTERNAL_CCM_BLOCK_BYTES;

        if (!TATU_INTERNAL_CCM_DECRYPTS) {
            tatu_internal_xor_long(ccm->mac, ccm->mac, input, taken);
        }
        tatu_internal_xor_long(output, input, key_stream, taken);
        if (TATU_INTERNAL_CCM_DECRYPTS) {
            tatu_internal_xor_long(ccm->mac, ccm->mac, output, taken);
        }
        output += taken;
        input += taken;
        length -= taken;
        tatu_internal_ccm_next_pair(ccm, length);
    }
}
#elif defined(TATU_INTERNAL_MANY_BLOCKS)
/* For a cipher that encrypts many blocks at once: it makes a batch of key stream in one call. The CBC-MAC needs one
 * call for each block. */
static void crypt_in_batches(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_INTERNAL_BATCH_BLOCKS * TATU_INTERNAL_CCM_BLOCK_BYTES];

    while (length > 0) {
        const size_t taken = length < sizeof key_stream ? length : sizeof key_stream;

        tatu_internal_ccm_long_key_stream(ccm, key_stream, taken);
        if (!TATU_INTERNAL_CCM_DECRYPTS) {
            tatu_internal_ccm_authenticate(ccm, input, taken);
        }
        tatu_internal_xor_long(output, input, key_stream, taken);
        if (TATU_INTERNAL_CCM_DECRYPTS) {
            tatu_internal_ccm_authenticate(ccm, output, taken);
        }
        output += taken;
        input += taken;
        length -= taken;
    }
    tatu_wipe(key_stream, sizeof key_stream);
}
#endif

#if defined(TATU_INTERNAL_XOR_IN_AVR)

void tatu_internal_ccm_encrypt_avr(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length);
void tatu_internal_ccm_decrypt_avr(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length);

static inline void crypt_message(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    if (length == 0) {
        return;
    }
    if (TATU_INTERNAL_CCM_DECRYPTS) {
        tatu_internal_ccm_decrypt_avr(ccm, output, input, length);
    } else {
        tatu_internal_ccm_encrypt_avr(ccm, output, input, length);
    }
}

#else

static void crypt_message(struct tatu_internal_ccm *ccm, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_INTERNAL_CCM_BLOCK_BYTES];

#if defined(TATU_INTERNAL_PAIRS)
    if (ccm->cipher.encrypt_blocks != NULL) {
        crypt_in_pairs(ccm, output, input, length);
        return;
    }
#elif defined(TATU_INTERNAL_MANY_BLOCKS)
    if (ccm->cipher.encrypt_blocks != NULL) {
        crypt_in_batches(ccm, output, input, length);
        return;
    }
#endif
    while (length > 0) {
        uint8_t taken = (uint8_t)(length < sizeof key_stream ? length : sizeof key_stream);
        tatu_internal_ccm_next_key_stream(ccm, key_stream);
        for (uint8_t i = 0; i < taken; i++) {
            if (TATU_INTERNAL_CCM_DECRYPTS) {
                output[i] = (uint8_t)(input[i] ^ key_stream[i]);
                ccm->mac[i] ^= output[i];
            } else {
                ccm->mac[i] ^= input[i];
                output[i] = (uint8_t)(input[i] ^ key_stream[i]);
            }
        }
        tatu_internal_ccm_next_mac(ccm);
        output += taken;
        input += taken;
        length -= taken;
    }
    tatu_wipe(key_stream, sizeof key_stream);
}

#endif
