#include <string.h>

#include "../../common/flash.h"
#include "../rsa_internal.h"

/* The DER of DigestInfo before a digest of SHA-256 (RFC 8017, section 9.2, note 1). */
#define DIGEST_INFO_BYTES 19
static const uint8_t digest_info[DIGEST_INFO_BYTES] TATU_INTERNAL_IN_FLASH = {
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
};

#define DIGEST_BYTES 32

/* 00 01 FF ... FF 00, DigestInfo, the digest: every byte is given. */
int tatu_internal_rsa_check_pkcs1(uint8_t *encoded, size_t length, const uint8_t digest[32])
{
    size_t zero = length - DIGEST_BYTES - DIGEST_INFO_BYTES - 1;
    uint8_t wrong = (uint8_t)(encoded[0] | (encoded[1] ^ 1) | encoded[zero]);

    for (size_t i = 2; i < zero; i++) {
        wrong = (uint8_t)(wrong | (encoded[i] ^ 0xff));
    }
    for (uint8_t i = 0; i < DIGEST_INFO_BYTES; i++) {
        wrong = (uint8_t)(wrong | (encoded[zero + 1 + i] ^ TATU_INTERNAL_READ_FLASH_BYTE(&digest_info[i])));
    }
    if (wrong != 0 || memcmp(encoded + length - DIGEST_BYTES, digest, DIGEST_BYTES) != 0) {
        return TATU_ERR_AUTHENTICATION;
    }
    return TATU_OK;
}
