#include "core/uplink.h"

#include <string.h>

#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#define DATA_AT 6
#define STATUS_BYTES 18

/* `payload` has room for the CRC behind its `length` bytes. */
static uint8_t encode(uint8_t *message, uint8_t *payload, uint8_t type, uint8_t flags, uint32_t uptime_ms,
                      uint8_t length)
{
    payload[0] = type;
    payload[1] = flags;
    put_u32(payload + 2, uptime_ms);
    put_u16(payload + length, crc16_add(CRC16_START, payload, length));
    return cobs_encode(message, payload, (uint8_t)(length + 2));
}

bool uplink_add(struct uplink_chunk *chunk, uint8_t byte, uint32_t uptime_ms)
{
    if (chunk->length == 0) {
        chunk->uptime_ms = uptime_ms;
        chunk->flags = (uint8_t)(UPLINK_OF_MODULE | (chunk->cut ? UPLINK_CONTINUES : 0));
        chunk->cut = false;
    }
    chunk->bytes[chunk->length++] = byte;
    return chunk->length == UPLINK_CHUNK_BYTES;
}

bool uplink_gap(struct uplink_chunk *chunk)
{
    chunk->cut = false;
    return chunk->length > 0;
}

uint8_t uplink_received(uint8_t message[UPLINK_MESSAGE_BYTES], struct uplink_chunk *chunk)
{
    uint8_t payload[UPLINK_PAYLOAD_BYTES + 2];
    uint8_t length = chunk->length;

    memcpy(payload + DATA_AT, chunk->bytes, length);
    chunk->cut = length == UPLINK_CHUNK_BYTES;
    chunk->length = 0;
    return encode(message, payload, UPLINK_RECEIVED, chunk->flags, chunk->uptime_ms, (uint8_t)(DATA_AT + length));
}

uint8_t uplink_status(uint8_t message[UPLINK_MESSAGE_BYTES], const struct uplink_status *status, uint32_t uptime_ms)
{
    uint8_t payload[DATA_AT + STATUS_BYTES + 2];

    put_u32(payload + DATA_AT, status->chunks);
    put_u32(payload + DATA_AT + 4, status->bytes);
    put_u16(payload + DATA_AT + 8, status->overruns);
    put_u16(payload + DATA_AT + 10, status->restarts);
    put_u32(payload + DATA_AT + 12, status->transmitted);
    put_u16(payload + DATA_AT + 16, status->refused);
    return encode(message, payload, UPLINK_STATUS, (uint8_t)(UPLINK_TELLS_CHANNEL | status->channel), uptime_ms,
                  DATA_AT + STATUS_BYTES);
}

uint8_t uplink_plaintext(uint8_t message[UPLINK_MESSAGE_BYTES], const uint8_t plaintext[16], uint32_t uptime_ms)
{
    uint8_t payload[DATA_AT + 16 + 2];

    memcpy(payload + DATA_AT, plaintext, 16);
    return encode(message, payload, UPLINK_PLAINTEXT, 0, uptime_ms, DATA_AT + 16);
}
