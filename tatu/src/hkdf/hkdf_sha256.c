#include <tatu/hkdf_sha256.h>

#include <string.h>

#include <tatu/hmac_sha256.h>
#include <tatu/wipe.h>

void tatu_hkdf_sha256_extract(uint8_t pseudorandom_key[32], const uint8_t *salt, size_t salt_length,
                              const uint8_t *secret, size_t secret_length)
{
    /* RFC 5869 replaces a missing salt by 32 zeros. HMAC pads an empty key with zeros, which is the same. */
    tatu_hmac_sha256(salt, salt_length, pseudorandom_key, secret, secret_length);
}

int tatu_hkdf_sha256_expand(const uint8_t pseudorandom_key[32], uint8_t *output, size_t output_length,
                            const uint8_t *info, size_t info_length)
{
    uint8_t block[TATU_HMAC_SHA256_TAG_BYTES]; /* T(i), RFC 5869, section 2.3 */
    uint8_t number = 0;
    int result = TATU_OK;

    if (output_length > TATU_HKDF_SHA256_LONGEST_OUTPUT_BYTES) {
        memset(output, 0, output_length);
        return TATU_ERR_LENGTH;
    }
    while (output_length > 0) {
        const size_t taken = output_length < sizeof block ? output_length : sizeof block;
        struct tatu_hmac_sha256 mac;

        tatu_hmac_sha256_init(&mac, pseudorandom_key, TATU_HKDF_SHA256_KEY_BYTES);
        if (number > 0) {
            tatu_hmac_sha256_update(&mac, block, sizeof block);
        }
        number++;
        tatu_hmac_sha256_update(&mac, info, info_length);
        tatu_hmac_sha256_update(&mac, &number, 1);
        result = tatu_hmac_sha256_final(&mac, block);
        memcpy(output, block, taken);
        output += taken;
        output_length -= taken;
    }
    tatu_wipe(block, sizeof block);
    return result;
}

int tatu_hkdf_sha256(uint8_t *output, size_t output_length, const uint8_t *salt, size_t salt_length,
                     const uint8_t *secret, size_t secret_length, const uint8_t *info, size_t info_length)
{
    uint8_t pseudorandom_key[TATU_HKDF_SHA256_KEY_BYTES];
    int result;

    tatu_hkdf_sha256_extract(pseudorandom_key, salt, salt_length, secret, secret_length);
    result = tatu_hkdf_sha256_expand(pseudorandom_key, output, output_length, info, info_length);
    tatu_wipe(pseudorandom_key, sizeof pseudorandom_key);
    return result;
}
