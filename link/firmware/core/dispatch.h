/* What the Raspberry Pi sends to the gateway: COBS(payload, CRC-16 big endian), zero. The payload:
 *
 *   transmit   04 | 00 | 1 to 58 bytes, which go on the air as they are
 *
 * MIT licence. */
#ifndef LINK_DISPATCH_H
#define LINK_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

/* A packet of the E32. */
#define DISPATCH_BYTES 58

/* Type, flags and CRC; and the byte that COBS adds. */
#define DISPATCH_MESSAGE_BYTES (2 + DISPATCH_BYTES + 2 + 1)

#define DISPATCH_TRANSMIT 0x04

/* Bytes on their way from the serial line into a packet. Zeroed to begin with. */
struct dispatch {
    uint8_t message[DISPATCH_MESSAGE_BYTES]; /* encoded, then decoded in place */
    uint8_t length;
    bool too_long;
};

/* Takes one byte. When that ends a whole message: the packet's length, and `packet` points into `dispatch` until the
 * next call. Else 0. Damage ends with the next zero. */
uint8_t dispatch_add(struct dispatch *dispatch, uint8_t byte, const uint8_t **packet);

#endif
