/* The frame on the air: 32 bytes, sealed.
 *
 *    0  1  version (4 bits) = 1 | type (4 bits)
 *    1  1  suite (4 bits) | key epoch (4 bits)
 *    2  2  device
 *    4  4  counter
 *    8 16  ciphertext
 *   24  8  tag
 *
 * The header of 8 bytes is associated data, and the nonce is the header and zeros: so a nonce repeats only if a counter
 * repeats under one epoch, which core/counter.h prevents. It is a packet of TatuLink (tatulink/packet.h) with a standard
 * header.
 *
 * MIT licence. */
#ifndef LINK_FRAME_H
#define LINK_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define FRAME_VERSION 1
#define FRAME_HEADER_BYTES 8
#define FRAME_PAYLOAD_BYTES 16
#define FRAME_TAG_BYTES 8
#define FRAME_BYTES 32
#define FRAME_KEY_BYTES 16
#define FRAME_TAG_AT 24

#define FRAME_TYPE_DATA 0
#define FRAME_TYPE_BOOT 1
#define FRAME_TYPE_ORDER 2 /* to the device: core/downlink.h */
#define FRAME_TYPE_KEY 3   /* to the device: the next epoch's key */

#define FRAME_SUITE_ASCON 1 /* Ascon-AEAD128, tag of 8 bytes */
#define FRAME_SUITE_AES_CCM 2 /* AES-128-CCM, nonce of 13 bytes, tag of 8 bytes */

/* The device that seals, and its suite and key. */
struct identity {
    uint16_t device;
    uint8_t suite;
    uint8_t epoch; /* 0 to 15 */
    uint8_t key[FRAME_KEY_BYTES];
};

/* Seals 16 bytes of payload into a frame. The caller took `counter` from core/counter.h and uses it this once.
 * False, and a frame of zeros, if there is no such suite. */
bool frame_seal(uint8_t frame[FRAME_BYTES], const struct identity *identity, uint8_t type, uint32_t counter,
                const uint8_t payload[FRAME_PAYLOAD_BYTES]);

/* Opens a frame of this identity: false, and a payload of zeros, unless version, device, suite, epoch and tag are
 * right. Says nothing of replays: that needs a memory of counters. */
bool frame_open(uint8_t payload[FRAME_PAYLOAD_BYTES], uint8_t *type, uint32_t *counter, const struct identity *identity,
                const uint8_t frame[FRAME_BYTES]);

#endif
