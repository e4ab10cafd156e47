#include <string.h>

#include <tatu/sha256.h>

#include "../rsa_internal.h"

#define DIGEST_BYTES 32
#define SALT_BYTES DIGEST_BYTES
#define TRAILER 0xbc

/* EMSA-PSS-VERIFY, with a modulus of whole bytes: the encoding has a bit less, the highest one (RFC 8017, section
 * 9.1.2). Step numbers are those of that section. */
int tatu_internal_rsa_check_pss(uint8_t *encoded, size_t length, const uint8_t digest[32])
{
    const size_t block_length = length - DIGEST_BYTES - 1, one = block_length - SALT_BYTES - 1;
    const uint8_t *hashed = encoded + block_length;
    uint8_t counter[4] = {0, 0, 0, 0}, part[DIGEST_BYTES];
    uint8_t wrong = (uint8_t)((encoded[length - 1] ^ TRAILER) | (encoded[0] & 0x80)); /* steps 4 and 6 */
    struct tatu_sha256 hash;

    for (size_t at = 0; at < block_length; at += DIGEST_BYTES) { /* steps 7 and 8: MGF1 (appendix B.2.1) */
        size_t left = block_length - at;
        tatu_sha256_init(&hash);
        tatu_sha256_update(&hash, hashed, DIGEST_BYTES);
        tatu_sha256_update(&hash, counter, sizeof counter);
        tatu_sha256_final(&hash, part);
        counter[3]++;
        for (uint8_t i = 0; i < DIGEST_BYTES && i < left; i++) {
            encoded[at + i] = (uint8_t)(encoded[at + i] ^ part[i]);
        }
    }
    encoded[0] &= 0x7f; /* step 9 */
    for (size_t i = 0; i < one; i++) { /* step 10 */
        wrong |= encoded[i];
    }
    wrong = (uint8_t)(wrong | (encoded[one] ^ 1));
    memset(part, 0, 8); /* steps 12 and 13 */
    tatu_sha256_init(&hash);
    tatu_sha256_update(&hash, part, 8);
    tatu_sha256_update(&hash, digest, DIGEST_BYTES);
    tatu_sha256_update(&hash, encoded + one + 1, SALT_BYTES);
    tatu_sha256_final(&hash, part);
    return wrong == 0 && memcmp(part, hashed, DIGEST_BYTES) == 0 ? TATU_OK : TATU_ERR_AUTHENTICATION;
}
