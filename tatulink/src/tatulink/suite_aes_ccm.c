#include <tatu/aes.h>
#include <tatu/ccm.h>
#include <tatu/wipe.h>
#include <tatulink/suite.h>

#define CCM_NONCE_BYTES 13

/* The small AES: its context is the key, so nothing is expanded for a few blocks, and 176 bytes of stack stay free. */
static bool seal(const struct tatulink_sealing *sealing, uint8_t *tag)
{
    struct tatu_aes128_small aes;

    tatu_aes128_small_set_key(&aes, sealing->key);
    int result = tatu_ccm_encrypt(tatu_aes128_small_encrypter(&aes), sealing->output, sealing->input, sealing->bytes,
                                  sealing->header, sealing->header_bytes, sealing->nonce, CCM_NONCE_BYTES, tag,
                                  sealing->tag_bytes);
    tatu_wipe(&aes, sizeof aes);
    return result == TATU_OK;
}

static bool open(const struct tatulink_sealing *sealing, const uint8_t *tag)
{
    struct tatu_aes128_small aes;

    tatu_aes128_small_set_key(&aes, sealing->key);
    int result = tatu_ccm_decrypt(tatu_aes128_small_encrypter(&aes), sealing->output, sealing->input, sealing->bytes,
                                  sealing->header, sealing->header_bytes, sealing->nonce, CCM_NONCE_BYTES, tag,
                                  sealing->tag_bytes);
    tatu_wipe(&aes, sizeof aes);
    return result == TATU_OK;
}

const struct tatulink_sealer tatulink_aes_ccm_sealer = {2, seal};
const struct tatulink_opener tatulink_aes_ccm_opener = {2, open};
const struct tatulink_suite tatulink_aes_ccm = {&tatulink_aes_ccm_sealer, &tatulink_aes_ccm_opener};
