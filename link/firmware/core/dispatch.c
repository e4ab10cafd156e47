#include "core/dispatch.h"

#include "core/cobs.h"
#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#define DATA_AT 2
#define CRC_BYTES 2

/* The packet in a whole message; 0 if there is none. */
static uint8_t packet_in(struct dispatch *dispatch)
{
    uint8_t length = cobs_decode(dispatch->message, dispatch->length);

    if (length <= DATA_AT + CRC_BYTES || dispatch->message[0] != DISPATCH_TRANSMIT) {
        return 0;
    }
    uint8_t crc_at = (uint8_t)(length - CRC_BYTES);
    if (crc16_add(CRC16_START, dispatch->message, crc_at) != get_u16(dispatch->message + crc_at)) {
        return 0;
    }
    return (uint8_t)(crc_at - DATA_AT);
}

uint8_t dispatch_add(struct dispatch *dispatch, uint8_t byte, const uint8_t **packet)
{
    uint8_t found = 0;

    if (byte != 0) {
        if (dispatch->length == sizeof dispatch->message) {
            dispatch->too_long = true;
        } else {
            dispatch->message[dispatch->length++] = byte;
        }
        return 0;
    }
    if (dispatch->length > 0 && !dispatch->too_long) {
        found = packet_in(dispatch);
    }
    dispatch->length = 0;
    dispatch->too_long = false;
    *packet = dispatch->message + DATA_AT;
    return found;
}
