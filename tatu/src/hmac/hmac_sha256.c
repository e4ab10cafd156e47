#include <tatu/hmac_sha256.h>

#include <string.h>

#include <tatu/wipe.h>

#include "../common/equal.h"
#include "../common/wipe_stack.h"
#include "../sha2/sha256_internal.h"

/* RFC 2104, section 2 */
#define INNER_PAD 0x36
#define OUTER_PAD 0x5c

/* For the frames below a function that handles the key: a callee may save a register that holds a byte of it. */
#define STACK_BYTES 128

static void start_hash(struct tatu_hmac_sha256 *mac, uint8_t pad)
{
    for (uint8_t i = 0; i < sizeof mac->key_block; i++) {
        mac->key_block[i] ^= pad;
    }
    tatu_internal_sha256_start(&mac->hash);
    tatu_sha256_update(&mac->hash, mac->key_block, sizeof mac->key_block);
    for (uint8_t i = 0; i < sizeof mac->key_block; i++) {
        mac->key_block[i] ^= pad;
    }
}

void tatu_hmac_sha256_init(struct tatu_hmac_sha256 *mac, const uint8_t *key, size_t key_length)
{
    memset(mac->key_block, 0, sizeof mac->key_block);
    if (key_length > sizeof mac->key_block) {
        tatu_sha256(mac->key_block, key, key_length);
    } else if (key_length > 0) {
        memcpy(mac->key_block, key, key_length);
    }
    start_hash(mac, INNER_PAD);
    mac->is_open = 1;
    tatu_internal_wipe_stack(STACK_BYTES);
}

void tatu_hmac_sha256_update(struct tatu_hmac_sha256 *mac, const uint8_t *input, size_t length)
{
    if (mac->is_open) {
        tatu_sha256_update(&mac->hash, input, length);
    }
}

int tatu_hmac_sha256_final(struct tatu_hmac_sha256 *mac, uint8_t tag[32])
{
    if (!mac->is_open) {
        memset(tag, 0, TATU_HMAC_SHA256_TAG_BYTES);
        return TATU_ERR_STATE;
    }
    tatu_internal_sha256_finish(&mac->hash, tag);
    start_hash(mac, OUTER_PAD);
    tatu_sha256_update(&mac->hash, tag, TATU_HMAC_SHA256_TAG_BYTES);
    tatu_internal_sha256_finish(&mac->hash, tag);
    tatu_wipe(mac, sizeof *mac);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

int tatu_hmac_sha256_verify_final(struct tatu_hmac_sha256 *mac, const uint8_t *tag, size_t tag_length)
{
    uint8_t right_tag[TATU_HMAC_SHA256_TAG_BYTES];
    int result = tatu_hmac_sha256_final(mac, right_tag);

    if (result == TATU_OK) {
        if (tag_length < TATU_HMAC_SHA256_SHORTEST_TAG_BYTES || tag_length > sizeof right_tag) {
            result = TATU_ERR_LENGTH;
        } else if (!tatu_internal_equal(right_tag, tag, tag_length)) {
            result = TATU_ERR_AUTHENTICATION;
        }
    }
    tatu_wipe(right_tag, sizeof right_tag);
    return result;
}

void tatu_hmac_sha256(const uint8_t *key, size_t key_length, uint8_t tag[32], const uint8_t *input, size_t length)
{
    struct tatu_hmac_sha256 mac;

    tatu_hmac_sha256_init(&mac, key, key_length);
    tatu_hmac_sha256_update(&mac, input, length);
    (void)!tatu_hmac_sha256_final(&mac, tag); /* it was just begun, so this cannot fail */
    tatu_internal_wipe_stack(STACK_BYTES);
}

int tatu_hmac_sha256_verify(const uint8_t *key, size_t key_length, const uint8_t *tag, size_t tag_length,
                            const uint8_t *input, size_t length)
{
    struct tatu_hmac_sha256 mac;
    int result;

    tatu_hmac_sha256_init(&mac, key, key_length);
    tatu_hmac_sha256_update(&mac, input, length);
    result = tatu_hmac_sha256_verify_final(&mac, tag, tag_length);
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}
