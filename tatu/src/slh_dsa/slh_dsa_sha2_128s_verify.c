#include <tatu/slh_dsa.h>

int tatu_slh_dsa_sha2_128s_verify(const uint8_t public_key[32], const uint8_t *message, size_t length,
                                  const uint8_t *context, size_t context_length, const uint8_t *signature,
                                  size_t signature_length)
{
    struct tatu_slh_dsa_sha2_128s slh;
    int result;

    if (signature_length != TATU_SLH_DSA_SHA2_128S_SIGNATURE_BYTES) {
        return TATU_ERR_AUTHENTICATION;
    }
    result = tatu_slh_dsa_sha2_128s_init(&slh, public_key, signature, context, context_length);
    if (result != TATU_OK) {
        return result;
    }
    tatu_slh_dsa_sha2_128s_update_message(&slh, message, length);
    tatu_slh_dsa_sha2_128s_update_signature(&slh, signature + TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES,
                                            signature_length - TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES);
    return tatu_slh_dsa_sha2_128s_final(&slh);
}
