/* What the gateway sends to the Raspberry Pi: COBS(payload, CRC-16 big endian), zero. The payloads:
 *
 *   received   01 | flags (bit 0: continues the chunk before without a gap; bit 1: the module puts a byte behind each
 *              packet, -(256 - byte) dBm) | u32 uptime in ms | 1 to 58 bytes
 *   status     02 | 80 + channel (00: not told) | u32 uptime in ms | u32 chunks | u32 bytes | u16 overruns | u16 restarts of the module |
 *              u32 packets transmitted | u16 packets refused, for the law's limit of an hour was reached
 *   plaintext  03 | 00 | u32 uptime in ms | 16 bytes (paper mode only)
 *
 * MIT licence. */
#ifndef LINK_UPLINK_H
#define LINK_UPLINK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cobs.h"

/* A packet of the E32: what it sends on the air at once. */
#define UPLINK_CHUNK_BYTES 58

#define UPLINK_PAYLOAD_BYTES (6 + UPLINK_CHUNK_BYTES)
#define UPLINK_MESSAGE_BYTES (UPLINK_PAYLOAD_BYTES + 2 + COBS_OVERHEAD_BYTES)

#define UPLINK_RECEIVED 0x01
#define UPLINK_STATUS 0x02
#define UPLINK_PLAINTEXT 0x03

#define UPLINK_CONTINUES 0x01
#define UPLINK_SIGNAL 0x02
#if LINK_MODULE_E22
#define UPLINK_OF_MODULE UPLINK_SIGNAL
#else
#define UPLINK_OF_MODULE 0
#endif
#define UPLINK_TELLS_CHANNEL 0x80

/* A silence of the E32 that ends a chunk. Within a packet its bytes follow each other at once, 1.04 ms each; between
 * the packets of two senders there are at least the 5 ms from AUX to the first byte. */
#define UPLINK_GAP_MS 5

struct uplink_status {
    uint32_t chunks;
    uint32_t bytes;
    uint16_t overruns;
    uint16_t restarts;
    uint32_t transmitted;
    uint16_t refused;
    uint8_t channel;
};

/* Bytes on their way from the E32 into chunks. Zeroed to begin with. */
struct uplink_chunk {
    uint8_t bytes[UPLINK_CHUNK_BYTES];
    uint8_t length;
    uint8_t flags;
    bool cut; /* the last chunk was full: what comes without a gap continues it */
    uint32_t uptime_ms;
};

/* Takes one byte; `uptime_ms` is now. True: the chunk is full and must be taken away with uplink_received. */
bool uplink_add(struct uplink_chunk *chunk, uint8_t byte, uint32_t uptime_ms);

/* After a gap: true if there is a chunk to take away. */
bool uplink_gap(struct uplink_chunk *chunk);

/* Encodes the chunk and empties it. All three return the length of `message`. */
uint8_t uplink_received(uint8_t message[UPLINK_MESSAGE_BYTES], struct uplink_chunk *chunk);
uint8_t uplink_status(uint8_t message[UPLINK_MESSAGE_BYTES], const struct uplink_status *status, uint32_t uptime_ms);
uint8_t uplink_plaintext(uint8_t message[UPLINK_MESSAGE_BYTES], const uint8_t plaintext[16], uint32_t uptime_ms);

#endif
