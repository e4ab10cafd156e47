/* GCM of a whole message, with nonces of 12 bytes (SP 800-38D, section 7). */
#if defined(__AVR__)
typedef int tatu_internal_gcm_is_not_for_avr;
#else

#include <tatu/gcm.h>

#include <string.h>

#include <tatu/wipe.h>

#include "../common/bytes.h"
#include "../common/equal.h"
#include "../common/wipe_stack.h"
#include "../modes/ctr_stream.h"
#include "ghash_internal.h"

#define BLOCK_BYTES TATU_INTERNAL_GHASH_BLOCK_BYTES

/* Section 5.2.1.1. So many blocks that the counter, which begins with 1, never goes beyond its 32 bits. */
#if SIZE_MAX > UINT32_MAX
#define IS_TOO_LONG(length) ((length) > ((size_t)1 << 36) - 32)
#else
#define IS_TOO_LONG(length) 0
#endif

#define STACK_BYTES 640 /* of what is called here, GHASH's products among it; the cipher wipes its own stack */

/* The key stream of the tag, then that of the message's first block. */
struct start {
    uint8_t key_stream[2 * BLOCK_BYTES];
};

static int check(const struct tatu_gcm_key *key, size_t length, size_t tag_length)
{
    (void)length;
    if (key->cipher.block_bytes != BLOCK_BYTES) {
        return TATU_ERR_STATE;
    }
    if (tag_length < TATU_GCM_SHORTEST_TAG_BYTES || tag_length > TATU_GCM_LONGEST_TAG_BYTES || IS_TOO_LONG(length)) {
        return TATU_ERR_LENGTH;
    }
    return TATU_OK;
}

int tatu_gcm_set_key(struct tatu_gcm_key *key, struct tatu_block_encrypter cipher)
{
    uint8_t block[BLOCK_BYTES] = {0};

    if (cipher.block_bytes != BLOCK_BYTES) {
        tatu_wipe(key, sizeof *key);
        return TATU_ERR_LENGTH;
    }
    cipher.encrypt(cipher.context, block, block);
    key->cipher = cipher;
    tatu_internal_ghash_load(key->hash_key, block);
    tatu_wipe(block, sizeof block);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

/* The counter block `number` (section 7.1, "J0" and what follows it). */
static void make_counter(uint8_t counter[BLOCK_BYTES], const uint8_t nonce[12], uint8_t number)
{
    memcpy(counter, nonce, TATU_GCM_NONCE_BYTES);
    memset(counter + TATU_GCM_NONCE_BYTES, 0, BLOCK_BYTES - TATU_GCM_NONCE_BYTES);
    counter[BLOCK_BYTES - 1] = number;
}

static void make_start(struct start *start, const struct tatu_block_encrypter *cipher, const uint8_t nonce[12])
{
    make_counter(start->key_stream, nonce, 1);
    make_counter(start->key_stream + BLOCK_BYTES, nonce, 2);
    if (cipher->encrypt_blocks != NULL) { /* some take two blocks in the time of one */
        cipher->encrypt_blocks(cipher->context, start->key_stream, start->key_stream, 2);
    } else {
        cipher->encrypt(cipher->context, start->key_stream, start->key_stream);
        cipher->encrypt(cipher->context, start->key_stream + BLOCK_BYTES, start->key_stream + BLOCK_BYTES);
    }
}

/* output = input ^ key stream */
static void crypt(const struct start *start, const struct tatu_block_encrypter *cipher, const uint8_t nonce[12],
                  uint8_t *output, const uint8_t *input, size_t length)
{
    const size_t first = length < BLOCK_BYTES ? length : BLOCK_BYTES;
    uint8_t counter[BLOCK_BYTES];

    tatu_internal_xor_long(output, input, start->key_stream + BLOCK_BYTES, first);
    if (length > first) {
        make_counter(counter, nonce, 3);
        tatu_internal_ctr_stream(cipher, counter, output + first, input + first, length - first);
    }
}

/* Section 7.1, steps 5 and 6. */
static void make_tag(uint8_t tag[BLOCK_BYTES], const struct start *start, const struct tatu_gcm_key *key,
                     const uint8_t *associated_data, size_t associated_data_length, const uint8_t *ciphertext,
                     size_t length)
{
    uint64_t sum[2] = {0, 0};
    const uint64_t lengths[2] = {(uint64_t)length * 8, (uint64_t)associated_data_length * 8};

    tatu_internal_ghash(sum, key->hash_key, associated_data, associated_data_length);
    tatu_internal_ghash(sum, key->hash_key, ciphertext, length);
    tatu_internal_ghash_store(tag, lengths);
    tatu_internal_ghash(sum, key->hash_key, tag, BLOCK_BYTES);
    tatu_internal_ghash_store(tag, sum);
    tatu_internal_xor(tag, start->key_stream, BLOCK_BYTES);
    tatu_wipe(sum, sizeof sum);
}

int tatu_gcm_encrypt(const struct tatu_gcm_key *key, uint8_t *output, const uint8_t *input, size_t length,
                     const uint8_t *associated_data, size_t associated_data_length, const uint8_t nonce[12],
                     uint8_t *tag, size_t tag_length)
{
    struct start start;
    uint8_t whole_tag[BLOCK_BYTES];
    const int result = check(key, length, tag_length);

    if (result != TATU_OK) {
        tatu_wipe(output, length);
        tatu_wipe(tag, tag_length);
        return result;
    }
    make_start(&start, &key->cipher, nonce);
    crypt(&start, &key->cipher, nonce, output, input, length);
    make_tag(whole_tag, &start, key, associated_data, associated_data_length, output, length);
    memcpy(tag, whole_tag, tag_length);
    tatu_wipe(&start, sizeof start);
    tatu_wipe(whole_tag, sizeof whole_tag);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

int tatu_gcm_decrypt(const struct tatu_gcm_key *key, uint8_t *output, const uint8_t *input, size_t length,
                     const uint8_t *associated_data, size_t associated_data_length, const uint8_t nonce[12],
                     const uint8_t *tag, size_t tag_length)
{
    struct start start;
    uint8_t right_tag[BLOCK_BYTES];
    int result = check(key, length, tag_length);

    if (result == TATU_OK) {
        make_start(&start, &key->cipher, nonce);
        make_tag(right_tag, &start, key, associated_data, associated_data_length, input, length);
        if (tatu_internal_equal(right_tag, tag, tag_length)) {
            crypt(&start, &key->cipher, nonce, output, input, length);
        } else {
            result = TATU_ERR_AUTHENTICATION;
        }
        tatu_wipe(&start, sizeof start);
        tatu_wipe(right_tag, sizeof right_tag);
        tatu_internal_wipe_stack(STACK_BYTES);
    }
    if (result != TATU_OK) {
        tatu_wipe(output, length);
    }
    return result;
}

#endif
