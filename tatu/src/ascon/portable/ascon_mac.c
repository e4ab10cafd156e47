/* Ascon-Mac (ePrint 2021/1574, section 3; the initial value is that of the designers' code, version 1.3). */
#include "../ascon_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../../common/equal.h"
#include "../../common/wipe_stack.h"

#define RATE 32

/* The initial value, 0x0010200080cc0005: variant 5, 12 and 12 rounds, a tag of 128 bits, rates of 32 bytes in and 16
 * bytes out. */
#define INITIAL_BYTE_0 0x05
#define INITIAL_BYTE_2 0xcc
#define INITIAL_BYTE_3 0x80
#define INITIAL_BYTE_5 0x20
#define INITIAL_BYTE_6 0x10

/* The last bit of the state tells the last block from the others. */
#define LAST_BYTE 39
#define LAST_BLOCK 0x80

#define STACK_BYTES 96 /* of what absorbs and wipes */

static void permute(uint8_t state[TATU_ASCON_STATE_BYTES])
{
    tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
}

/* state ^= input */
static void add(uint8_t *state, const uint8_t *input, uint8_t length)
{
#if defined(TATU_INTERNAL_XOR_IN_AVR)
    tatu_internal_xor_avr(state, state, input, length);
#else
    tatu_internal_xor_long(state, state, input, length);
#endif
}

static void start(uint8_t state[TATU_ASCON_STATE_BYTES], const uint8_t key[16])
{
    memset(state, 0, TATU_ASCON_STATE_BYTES);
    state[0] = INITIAL_BYTE_0;
    state[2] = INITIAL_BYTE_2;
    state[3] = INITIAL_BYTE_3;
    state[5] = INITIAL_BYTE_5;
    state[6] = INITIAL_BYTE_6;
    memcpy(state + 8, key, 16);
#if TATU_INTERNAL_ASCON_INVERSION != 0
    for (uint8_t i = 8; i < 32; i++) {
        state[i] ^= TATU_INTERNAL_ASCON_INVERSION;
    }
#endif
    permute(state);
}

/* Returns the new position in the block. */
static uint8_t absorb(uint8_t state[TATU_ASCON_STATE_BYTES], uint8_t position, const uint8_t *input, size_t length)
{
    while (length > 0) {
        uint8_t taken = (uint8_t)(RATE - position);

        if (length < taken) {
            taken = (uint8_t)length;
        }
        add(state + position, input, taken);
        input += taken;
        length -= taken;
        position = (uint8_t)(position + taken);
        if (position == RATE) {
            permute(state);
            position = 0;
        }
    }
    return position;
}

/* The tag is then the first 16 bytes of the state, as they are. */
static void finish(uint8_t state[TATU_ASCON_STATE_BYTES], uint8_t position)
{
    tatu_internal_ascon_pad(state, position);
    state[LAST_BYTE] ^= LAST_BLOCK;
    permute(state);
#if TATU_INTERNAL_ASCON_INVERSION != 0
    for (uint8_t i = 8; i < TATU_ASCON_MAC_TAG_BYTES; i++) {
        state[i] ^= TATU_INTERNAL_ASCON_INVERSION;
    }
#endif
}

static int compare(const uint8_t *right_tag, const uint8_t *tag, size_t tag_length)
{
    if (tag_length < TATU_ASCON_MAC_SHORTEST_TAG_BYTES || tag_length > TATU_ASCON_MAC_TAG_BYTES) {
        return TATU_ERR_LENGTH;
    }
    return tatu_internal_equal(right_tag, tag, tag_length) ? TATU_OK : TATU_ERR_AUTHENTICATION;
}

void tatu_ascon_mac_init(struct tatu_ascon_mac *mac, const uint8_t key[16])
{
    start(mac->state, key);
    mac->position = TATU_INTERNAL_ASCON_OPEN;
}

void tatu_ascon_mac_update(struct tatu_ascon_mac *mac, const uint8_t *input, size_t length)
{
    if (mac->position & TATU_INTERNAL_ASCON_OPEN) {
        const uint8_t next = absorb(mac->state, (uint8_t)(mac->position ^ TATU_INTERNAL_ASCON_OPEN), input, length);
        mac->position = (uint8_t)(next | TATU_INTERNAL_ASCON_OPEN);
    }
}

/* TATU_OK if the tag is in mac->state now. */
static int end(struct tatu_ascon_mac *mac)
{
    if ((mac->position & TATU_INTERNAL_ASCON_OPEN) == 0) {
        return TATU_ERR_STATE;
    }
    finish(mac->state, (uint8_t)(mac->position ^ TATU_INTERNAL_ASCON_OPEN));
    return TATU_OK;
}

int tatu_ascon_mac_final(struct tatu_ascon_mac *mac, uint8_t tag[16])
{
    const int result = end(mac);

    if (result == TATU_OK) {
        memcpy(tag, mac->state, TATU_ASCON_MAC_TAG_BYTES);
    } else {
        memset(tag, 0, TATU_ASCON_MAC_TAG_BYTES);
    }
    tatu_wipe(mac, sizeof *mac);
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}

int tatu_ascon_mac_verify_final(struct tatu_ascon_mac *mac, const uint8_t *tag, size_t tag_length)
{
    int result = end(mac);

    if (result == TATU_OK) {
        result = compare(mac->state, tag, tag_length);
    }
    tatu_wipe(mac, sizeof *mac);
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}

void tatu_ascon_mac(const uint8_t key[16], uint8_t tag[16], const uint8_t *input, size_t length)
{
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];

    start(state, key);
    finish(state, absorb(state, 0, input, length));
    memcpy(tag, state, TATU_ASCON_MAC_TAG_BYTES);
    tatu_wipe(state, sizeof state);
    tatu_internal_wipe_stack(STACK_BYTES);
}

int tatu_ascon_mac_verify(const uint8_t key[16], const uint8_t *tag, size_t tag_length, const uint8_t *input,
                          size_t length)
{
    uint8_t right_tag[TATU_ASCON_MAC_TAG_BYTES];
    int result;

    tatu_ascon_mac(key, right_tag, input, length);
    result = compare(right_tag, tag, tag_length);
    tatu_wipe(right_tag, sizeof right_tag);
    return result;
}
