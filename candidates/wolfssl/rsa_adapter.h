/* wolfSSL, RSA, PKCS #1 v1.5: its function pads what it is given, so DigestInfo (RFC 8017, section 9.2, note 1) is
 * the caller's. */
#include "rsa_keys.h"

#define RSA_INFO_BYTES 19

/* The last number of the hash's object identifier: of SHA-256 unless said otherwise. */
#ifndef RSA_HASH
#define RSA_HASH 0x01
#endif

static const uint8_t rsa_info[RSA_INFO_BYTES] = {0x30,
                                                 0x31,
                                                 0x30,
                                                 0x0d,
                                                 0x06,
                                                 0x09,
                                                 0x60,
                                                 0x86,
                                                 0x48,
                                                 0x01,
                                                 0x65,
                                                 0x03,
                                                 0x04,
                                                 0x02,
                                                 RSA_HASH,
                                                 0x05,
                                                 0x00,
                                                 0x04,
                                                 BANCADA_DIGEST_BYTES};

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    uint8_t info[RSA_INFO_BYTES + BANCADA_DIGEST_BYTES];
    memcpy(info, rsa_info, RSA_INFO_BYTES);
    memcpy(info + RSA_INFO_BYTES, digest, BANCADA_DIGEST_BYTES);
    return wc_RsaSSL_Sign(info, sizeof info, signature, SIGNATURE_BYTES, &context->key, &context->random) -
           SIGNATURE_BYTES;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    uint8_t info[SIGNATURE_BYTES];
    int length = wc_RsaSSL_Verify(signature, SIGNATURE_BYTES, info, sizeof info, context);
    return length != RSA_INFO_BYTES + BANCADA_DIGEST_BYTES || memcmp(info, rsa_info, RSA_INFO_BYTES) != 0 ||
           memcmp(info + RSA_INFO_BYTES, digest, BANCADA_DIGEST_BYTES) != 0;
}
