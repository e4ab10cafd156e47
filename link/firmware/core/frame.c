#include "core/frame.h"

#include <string.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/ccm.h>
#include <tatu/wipe.h>

#include "core/bytes.h"

#define CCM_NONCE_BYTES 13

/* Both suites' nonces: the header, then zeros (8 for Ascon, 5 for CCM). */
static void make_nonce(uint8_t nonce[TATU_ASCON_AEAD128_NONCE_BYTES], const uint8_t *header)
{
    memset(nonce, 0, TATU_ASCON_AEAD128_NONCE_BYTES);
    memcpy(nonce, header, FRAME_HEADER_BYTES);
}

bool frame_seal(uint8_t frame[FRAME_BYTES], const struct identity *identity, uint8_t type, uint32_t counter,
                const uint8_t payload[FRAME_PAYLOAD_BYTES])
{
    uint8_t nonce[TATU_ASCON_AEAD128_NONCE_BYTES];
    uint8_t *ciphertext = frame + FRAME_HEADER_BYTES;
    uint8_t *tag = frame + FRAME_TAG_AT;
    int result = TATU_ERR_LENGTH;

    frame[0] = (uint8_t)(FRAME_VERSION << 4 | (type & 0x0f));
    frame[1] = (uint8_t)((uint8_t)(identity->suite << 4) | (identity->epoch & 0x0f));
    put_u16(frame + 2, identity->device);
    put_u32(frame + 4, counter);
    make_nonce(nonce, frame);
    if (identity->suite == FRAME_SUITE_ASCON) {
        result = tatu_ascon_aead128_encrypt(identity->key, ciphertext, payload, FRAME_PAYLOAD_BYTES, frame,
                                            FRAME_HEADER_BYTES, nonce, tag, FRAME_TAG_BYTES);
    } else if (identity->suite == FRAME_SUITE_AES_CCM) {
        /* The small AES: its context is the key, so nothing is expanded for five blocks, and 176 bytes of stack stay
         * free. */
        struct tatu_aes128_small aes;
        tatu_aes128_small_set_key(&aes, identity->key);
        result = tatu_ccm_encrypt(tatu_aes128_small_encrypter(&aes), ciphertext, payload, FRAME_PAYLOAD_BYTES, frame,
                                  FRAME_HEADER_BYTES, nonce, CCM_NONCE_BYTES, tag, FRAME_TAG_BYTES);
        tatu_wipe(&aes, sizeof aes);
    }
    if (result != TATU_OK) {
        memset(frame, 0, FRAME_BYTES);
    }
    return result == TATU_OK;
}

bool frame_open(uint8_t payload[FRAME_PAYLOAD_BYTES], uint8_t *type, uint32_t *counter, const struct identity *identity,
                const uint8_t frame[FRAME_BYTES])
{
    uint8_t nonce[TATU_ASCON_AEAD128_NONCE_BYTES];
    const uint8_t *ciphertext = frame + FRAME_HEADER_BYTES;
    const uint8_t *tag = frame + FRAME_TAG_AT;
    int result = TATU_ERR_AUTHENTICATION;

    *type = frame[0] & 0x0f;
    *counter = get_u32(frame + 4);
    make_nonce(nonce, frame);
    /* The suite is the identity's, never the frame's word for it: who forges must not choose the lock. */
    if (frame[0] >> 4 == FRAME_VERSION && frame[1] >> 4 == identity->suite && (frame[1] & 0x0f) == identity->epoch &&
        get_u16(frame + 2) == identity->device) {
        if (identity->suite == FRAME_SUITE_ASCON) {
            result = tatu_ascon_aead128_decrypt(identity->key, payload, ciphertext, FRAME_PAYLOAD_BYTES, frame,
                                                FRAME_HEADER_BYTES, nonce, tag, FRAME_TAG_BYTES);
        } else if (identity->suite == FRAME_SUITE_AES_CCM) {
            struct tatu_aes128_small aes;
            tatu_aes128_small_set_key(&aes, identity->key);
            result = tatu_ccm_decrypt(tatu_aes128_small_encrypter(&aes), payload, ciphertext, FRAME_PAYLOAD_BYTES,
                                      frame, FRAME_HEADER_BYTES, nonce, CCM_NONCE_BYTES, tag, FRAME_TAG_BYTES);
            tatu_wipe(&aes, sizeof aes);
        }
    }
    if (result != TATU_OK) {
        memset(payload, 0, FRAME_PAYLOAD_BYTES);
    }
    return result == TATU_OK;
}
