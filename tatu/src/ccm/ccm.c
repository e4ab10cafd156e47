#include "ccm_internal.h"

#include <string.h>

#include "../common/bytes.h"

#define BLOCK_BYTES TATU_INTERNAL_CCM_BLOCK_BYTES

/* Associated data shorter than this have their length in 2 bytes (SP 800-38C, section A.2.2). */
#define LONG_ASSOCIATED_DATA 0xff00u

/* Bytes that count the message's ("q"), in the first block and in every counter block, always the last of the block. */
static uint8_t count_bytes(size_t nonce_length)
{
    return (uint8_t)(BLOCK_BYTES - 1 - nonce_length);
}

static int lengths_are_valid(uint8_t block_bytes, size_t length, size_t nonce_length, size_t tag_length)
{
    if (block_bytes != BLOCK_BYTES || nonce_length < TATU_CCM_SHORTEST_NONCE_BYTES ||
        nonce_length > TATU_CCM_LONGEST_NONCE_BYTES || tag_length < TATU_CCM_SHORTEST_TAG_BYTES ||
        tag_length > TATU_CCM_LONGEST_TAG_BYTES || tag_length % 2 != 0) {
        return 0;
    }
    for (uint8_t i = count_bytes(nonce_length); i > 0; i--) {
        length >>= 8;
    }
    return length == 0;
}

/* `count_length` bytes at `bytes`, the highest first. */
static void store_count(uint8_t *bytes, uint8_t count_length, size_t count)
{
    while (count_length > 0) {
        count_length--;
        bytes[count_length] = (uint8_t)count;
        count >>= 8;
    }
}

void tatu_internal_ccm_next_mac(struct tatu_internal_ccm *ccm)
{
    ccm->cipher.encrypt(ccm->cipher.context, ccm->mac, ccm->mac);
}

static void next_counter(struct tatu_internal_ccm *ccm)
{
    uint8_t *count = ccm->counter + BLOCK_BYTES;

    do { /* a message too long for its counter was refused, so this stops within it */
        count--;
        *count = (uint8_t)(*count + 1);
    } while (*count == 0);
}

/* The counter block that hides the tag. */
static void first_counter(struct tatu_internal_ccm *ccm)
{
    const uint8_t count_length = (uint8_t)(ccm->counter[0] + 1);

    memset(ccm->counter + BLOCK_BYTES - count_length, 0, count_length);
}

#if defined(TATU_INTERNAL_PAIRS)
void tatu_internal_ccm_next_pair(struct tatu_internal_ccm *ccm, size_t length)
{
    if (length > 0) {
        next_counter(ccm);
    } else {
        first_counter(ccm);
    }
    memcpy(ccm->mac + BLOCK_BYTES, ccm->counter, BLOCK_BYTES);
    ccm->cipher.encrypt_blocks(ccm->cipher.context, ccm->mac, ccm->mac, 2);
}
#endif

/* The last block before the message, which is `length` bytes long. */
static void begin_message(struct tatu_internal_ccm *ccm, size_t length)
{
#if defined(TATU_INTERNAL_CCM_MAC_WAITS)
    (void)ccm;
    (void)length;
#else
#if defined(TATU_INTERNAL_PAIRS)
    if (ccm->cipher.encrypt_blocks != NULL) {
        tatu_internal_ccm_next_pair(ccm, length);
        return;
    }
#endif
    (void)length;
    tatu_internal_ccm_next_mac(ccm);
#endif
}

/* The length's encoding (SP 800-38C, section A.2.2) to `bytes`, at most 10; returns how many. */
static uint8_t encode_length(uint8_t bytes[10], size_t length)
{
    if (length < LONG_ASSOCIATED_DATA) {
        store_count(bytes, 2, length);
        return 2;
    }
    bytes[0] = 0xff;
#if SIZE_MAX > UINT32_MAX
    if (length > UINT32_MAX) {
        bytes[1] = 0xff;
        store_count(bytes + 2, 8, length);
        return 10;
    }
#endif
    bytes[1] = 0xfe;
    store_count(bytes + 2, 4, length);
    return 6;
}

/* Its length's encoding, the data, zeros to the end of the block. */
static void authenticate_associated_data(struct tatu_internal_ccm *ccm, const uint8_t *data, size_t length,
                                         size_t message_length)
{
    uint8_t encoded[10];
    uint8_t position = encode_length(encoded, length);

    tatu_internal_xor(ccm->mac, encoded, position);
    for (; length > 0; length--) {
        if (position == BLOCK_BYTES) {
            tatu_internal_ccm_next_mac(ccm);
            position = 0;
        }
        ccm->mac[position] ^= *data;
        position++;
        data++;
    }
    begin_message(ccm, message_length);
}

int tatu_internal_ccm_start(struct tatu_internal_ccm *ccm, struct tatu_block_encrypter cipher, size_t length,
                            const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                            size_t nonce_length, size_t tag_length)
{
    uint8_t count_length;

    if (!lengths_are_valid(cipher.block_bytes, length, nonce_length, tag_length)) {
        return TATU_ERR_LENGTH;
    }
    count_length = count_bytes(nonce_length);
    ccm->cipher = cipher;
    /* the counter block: SP 800-38C, section A.3 */
    memset(ccm->counter, 0, sizeof ccm->counter);
    ccm->counter[0] = (uint8_t)(count_length - 1);
    memcpy(ccm->counter + 1, nonce, nonce_length);
    /* the first block of the MAC: section A.2.1 */
    memcpy(ccm->mac, ccm->counter, sizeof ccm->counter);
    ccm->mac[0] = (uint8_t)(ccm->mac[0] | (tag_length - 2) / 2 << 3);
    if (associated_data_length > 0) {
        ccm->mac[0] = (uint8_t)(ccm->mac[0] | 0x40);
    }
    store_count(ccm->mac + BLOCK_BYTES - count_length, count_length, length);
    if (associated_data_length == 0) {
        begin_message(ccm, length);
        return TATU_OK;
    }
    tatu_internal_ccm_next_mac(ccm);
    authenticate_associated_data(ccm, associated_data, associated_data_length, length);
    return TATU_OK;
}

void tatu_internal_ccm_next_key_stream(struct tatu_internal_ccm *ccm, uint8_t key_stream[16])
{
    next_counter(ccm);
    ccm->cipher.encrypt(ccm->cipher.context, key_stream, ccm->counter);
}

#if defined(TATU_INTERNAL_MANY_BLOCKS) && !defined(TATU_INTERNAL_PAIRS)
void tatu_internal_ccm_long_key_stream(struct tatu_internal_ccm *ccm, uint8_t *key_stream, size_t length)
{
    size_t blocks = 0;

    for (size_t at = 0; at < length; at += BLOCK_BYTES) {
        next_counter(ccm);
        memcpy(key_stream + at, ccm->counter, BLOCK_BYTES);
        blocks++;
    }
    ccm->cipher.encrypt_blocks(ccm->cipher.context, key_stream, key_stream, blocks);
}

void tatu_internal_ccm_authenticate(struct tatu_internal_ccm *ccm, const uint8_t *data, size_t length)
{
    while (length > 0) {
        const size_t taken = length < BLOCK_BYTES ? length : BLOCK_BYTES;

        tatu_internal_xor_long(ccm->mac, ccm->mac, data, taken);
        tatu_internal_ccm_next_mac(ccm);
        data += taken;
        length -= taken;
    }
}
#endif

void tatu_internal_ccm_finish(struct tatu_internal_ccm *ccm)
{
#if defined(TATU_INTERNAL_PAIRS)
    if (ccm->cipher.encrypt_blocks != NULL) {
        tatu_internal_xor(ccm->mac, ccm->mac + BLOCK_BYTES, BLOCK_BYTES);
        return;
    }
#endif
#if defined(TATU_INTERNAL_CCM_MAC_WAITS)
    tatu_internal_ccm_next_mac(ccm);
#endif
    first_counter(ccm);
#if defined(TATU_INTERNAL_CCM_MAC_WAITS)
    if (ccm->cipher.encrypt_and_add != NULL) {
        ccm->cipher.encrypt_and_add(ccm->cipher.context, ccm->mac, ccm->counter, ccm->mac);
        return;
    }
#endif
    ccm->cipher.encrypt(ccm->cipher.context, ccm->counter, ccm->counter);
    tatu_internal_xor(ccm->mac, ccm->counter, BLOCK_BYTES);
}
