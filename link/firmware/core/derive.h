/* Keys that a device makes of the one in its EEPROM.
 *
 * A derived key is the tag of a frame that is never sent: version 0, type = purpose, no text, and all 16 bytes of the
 * tag. The device's suite seals it. Frames on the air have version 1, so that no derivation shares a nonce with one of
 * them. A key says nothing of the key that it was derived from: the tag is a pseudorandom function of the key.
 *
 *    0  1  version (4 bits) = 0 | purpose (4 bits)
 *    1  1  suite (4 bits) | key epoch (4 bits)
 *    2  2  device
 *    4  4  number
 *
 * MIT licence. */
#ifndef LINK_DERIVE_H
#define LINK_DERIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"

/* The key of frames to the device. */
#define DERIVE_DOWN 1
/* The key of the next stage, `number` (core/counter.h). */
#define DERIVE_NEXT 2
/* The key of the frame that brings the next epoch's key: `number` is the counter that it answers, divided by 8. */
#define DERIVE_KEY 3

/* Writes 16 bytes to `key`; the caller wipes them. `key` may be that of the identity. False, and zeros, if there is no
 * such suite. */
bool derive_key(uint8_t key[FRAME_KEY_BYTES], const struct identity *identity, uint8_t purpose, uint32_t number);

#endif
