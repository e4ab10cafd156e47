#include "cmac_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../common/bytes.h"
#include "../common/equal.h"
#include "../common/not_unrolled.h"
#include "../common/wipe_stack.h"

#define STACK_BYTES 96 /* of the functions with the subkeys; the cipher wipes its own stack */

/* Multiplies by x in the field of 2^64 or 2^128 elements (SP 800-38B, section 5.3). The block is secret, so there
 * is no branch: the top bit makes a mask. The bytes after a block of 8 bytes are zero and stay zero. */
static void double_block(uint8_t block[TATU_MAX_BLOCK_BYTES], uint8_t block_bytes)
{
    uint8_t reduction = block_bytes == 8 ? 0x1b : 0x87;
    uint8_t carry = (uint8_t)(reduction & (0u - (block[0] >> 7)));

    TATU_INTERNAL_NOT_UNROLLED
    for (uint8_t i = 0; i + 1 < TATU_MAX_BLOCK_BYTES; i++) {
        block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    }
    block[TATU_MAX_BLOCK_BYTES - 1] = (uint8_t)(block[TATU_MAX_BLOCK_BYTES - 1] << 1);
    block[block_bytes - 1] ^= carry;
}

static void encrypt_in_place(const struct tatu_block_encrypter *cipher, uint8_t *block)
{
    cipher->encrypt(cipher->context, block, block);
}

void tatu_cmac_set_key(struct tatu_cmac_key *key, struct tatu_block_encrypter cipher)
{
    key->cipher = cipher;
    memset(key->subkey, 0, sizeof key->subkey);
    encrypt_in_place(&cipher, key->subkey);
    double_block(key->subkey, cipher.block_bytes);
    tatu_internal_wipe_stack(STACK_BYTES);
}

void tatu_cmac_init(struct tatu_cmac *mac, const struct tatu_cmac_key *key)
{
    mac->key = key;
    memset(mac->state, 0, sizeof mac->state);
    mac->position = 0;
}

/* A full block waits for the next byte. Only then is it certain that it is not the last block, which is processed
 * differently. */
void tatu_cmac_update(struct tatu_cmac *mac, const uint8_t *input, size_t length)
{
    const struct tatu_block_encrypter *cipher;
    uint8_t position;

    if (mac->key == NULL) { /* ended: a call of the cipher would jump to address 0 */
        return;
    }
    cipher = &mac->key->cipher;
    position = mac->position;
#if defined(TATU_INTERNAL_CMAC_IN_AVR)
    while (length > 0) {
        uint8_t taken;

        if (position == cipher->block_bytes) {
            encrypt_in_place(cipher, mac->state);
            position = 0;
        }
        taken = (uint8_t)(cipher->block_bytes - position);
        if (length < taken) {
            taken = (uint8_t)length;
        }
        tatu_internal_xor_avr(mac->state + position, mac->state + position, input, taken);
        position = (uint8_t)(position + taken);
        input += taken;
        length -= taken;
    }
#else
    for (; length > 0; length--) {
        if (position == cipher->block_bytes) {
            encrypt_in_place(cipher, mac->state);
            position = 0;
        }
        if (position == 0 && length >= cipher->block_bytes) {
            if (cipher->block_bytes == sizeof mac->state) {
                tatu_internal_xor_long(mac->state, mac->state, input, sizeof mac->state);
            } else {
                tatu_internal_xor(mac->state, input, cipher->block_bytes);
            }
            position = cipher->block_bytes;
            input += position;
            length -= position - 1u; /* and one more by the loop */
            continue;
        }
        mac->state[position] ^= *input;
        position++;
        input++;
    }
#endif
    mac->position = position;
}

#if defined(TATU_INTERNAL_CMAC_IN_AVR)

void tatu_internal_cmac_add_second_subkey(uint8_t state[TATU_MAX_BLOCK_BYTES], const struct tatu_cmac_key *key)
{
    uint8_t subkey[TATU_MAX_BLOCK_BYTES];

    memcpy(subkey, key->subkey, sizeof subkey);
    double_block(subkey, key->cipher.block_bytes);
    tatu_internal_xor(state, subkey, key->cipher.block_bytes);
    tatu_wipe(subkey, sizeof subkey);
}

/* The whole tag, in mac->state (SP 800-38B, section 6.2, steps 4 to 6). */
static void finish(struct tatu_cmac *mac)
{
    const struct tatu_block_encrypter *cipher = &mac->key->cipher;

    if (mac->position == cipher->block_bytes) {
        tatu_internal_xor_avr(mac->state, mac->state, mac->key->subkey, cipher->block_bytes);
    } else {
        mac->state[mac->position] ^= 0x80;
        tatu_internal_cmac_add_second_subkey(mac->state, mac->key);
    }
    encrypt_in_place(cipher, mac->state);
}

#else

/* The whole tag, in mac->state (SP 800-38B, section 6.2, steps 4 to 6). */
static void finish(struct tatu_cmac *mac)
{
    const struct tatu_block_encrypter *cipher = &mac->key->cipher;
    uint8_t subkey[TATU_MAX_BLOCK_BYTES];

    memcpy(subkey, mac->key->subkey, sizeof subkey);
    if (mac->position < cipher->block_bytes) {
        mac->state[mac->position] ^= 0x80;
        double_block(subkey, cipher->block_bytes);
    }
    tatu_internal_xor(mac->state, subkey, cipher->block_bytes);
    encrypt_in_place(cipher, mac->state);
    tatu_wipe(subkey, sizeof subkey);
}

#endif

static int tag_length_is_valid(const struct tatu_cmac_key *key, size_t tag_length)
{
    return tag_length >= TATU_CMAC_SHORTEST_TAG_BYTES && tag_length <= key->cipher.block_bytes;
}

/* TATU_OK, or the error that ends the message without a tag. The wipe at the end of a message makes `key` NULL. */
static int check(const struct tatu_cmac *mac, size_t tag_length)
{
    if (mac->key == NULL) {
        return TATU_ERR_STATE;
    }
    return tag_length_is_valid(mac->key, tag_length) ? TATU_OK : TATU_ERR_LENGTH;
}

int tatu_cmac_final(struct tatu_cmac *mac, uint8_t *tag, size_t tag_length)
{
    const int result = check(mac, tag_length);

    if (result == TATU_OK) {
        finish(mac);
        memcpy(tag, mac->state, tag_length);
    } else {
        tatu_wipe(tag, tag_length);
    }
    tatu_wipe(mac, sizeof *mac);
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}

int tatu_cmac_verify_final(struct tatu_cmac *mac, const uint8_t *tag, size_t tag_length)
{
    int result = check(mac, tag_length);

    if (result == TATU_OK) {
        finish(mac);
        result = tatu_internal_equal(mac->state, tag, tag_length) ? TATU_OK : TATU_ERR_AUTHENTICATION;
    }
    tatu_wipe(mac, sizeof *mac);
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}

#if defined(TATU_INTERNAL_CMAC_IN_AVR)

int tatu_cmac(const struct tatu_cmac_key *key, uint8_t *tag, size_t tag_length, const uint8_t *input, size_t length)
{
    if (!tag_length_is_valid(key, tag_length)) {
        tatu_wipe(tag, tag_length);
        return TATU_ERR_LENGTH;
    }
    return tatu_internal_cmac_tag_avr(key, tag, tag_length, input, length);
}

int tatu_cmac_verify(const struct tatu_cmac_key *key, const uint8_t *tag, size_t tag_length, const uint8_t *input,
                     size_t length)
{
    uint8_t state[TATU_MAX_BLOCK_BYTES];
    int result = TATU_ERR_LENGTH;

    if (tag_length_is_valid(key, tag_length)) {
        tatu_internal_cmac_avr(key, state, input, length);
        result = tatu_internal_equal(state, tag, tag_length) ? TATU_OK : TATU_ERR_AUTHENTICATION;
        tatu_wipe(state, sizeof state);
    }
    return result;
}

#else

int tatu_cmac(const struct tatu_cmac_key *key, uint8_t *tag, size_t tag_length, const uint8_t *input, size_t length)
{
    struct tatu_cmac mac;

    tatu_cmac_init(&mac, key);
    tatu_cmac_update(&mac, input, length);
    return tatu_cmac_final(&mac, tag, tag_length);
}

int tatu_cmac_verify(const struct tatu_cmac_key *key, const uint8_t *tag, size_t tag_length, const uint8_t *input,
                     size_t length)
{
    struct tatu_cmac mac;

    tatu_cmac_init(&mac, key);
    tatu_cmac_update(&mac, input, length);
    return tatu_cmac_verify_final(&mac, tag, tag_length);
}

#endif
