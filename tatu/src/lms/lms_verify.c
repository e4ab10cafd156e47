#include <tatu/lms.h>

int tatu_lms_verify(const uint8_t public_key[56], const uint8_t *message, size_t length, const uint8_t *signature,
                    size_t signature_length)
{
    struct tatu_lms lms;

    if (signature_length < TATU_LMS_BEGINNING_BYTES || tatu_lms_init(&lms, public_key, signature) != TATU_OK) {
        return TATU_ERR_AUTHENTICATION;
    }
    tatu_lms_update_message(&lms, message, length);
    tatu_lms_update_signature(&lms, signature + TATU_LMS_BEGINNING_BYTES, signature_length - TATU_LMS_BEGINNING_BYTES);
    return tatu_lms_final(&lms);
}
