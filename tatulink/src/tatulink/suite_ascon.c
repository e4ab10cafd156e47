#include <tatu/ascon.h>
#include <tatulink/suite.h>

static bool seal(const struct tatulink_sealing *sealing, uint8_t *tag)
{
    return tatu_ascon_aead128_encrypt(sealing->key, sealing->output, sealing->input, sealing->bytes, sealing->header,
                                      sealing->header_bytes, sealing->nonce, tag, sealing->tag_bytes) == TATU_OK;
}

static bool open(const struct tatulink_sealing *sealing, const uint8_t *tag)
{
    return tatu_ascon_aead128_decrypt(sealing->key, sealing->output, sealing->input, sealing->bytes, sealing->header,
                                      sealing->header_bytes, sealing->nonce, tag, sealing->tag_bytes) == TATU_OK;
}

const struct tatulink_sealer tatulink_ascon_sealer = {1, seal};
const struct tatulink_opener tatulink_ascon_opener = {1, open};
const struct tatulink_suite tatulink_ascon = {&tatulink_ascon_sealer, &tatulink_ascon_opener};
