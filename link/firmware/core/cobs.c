#include "core/cobs.h"

uint8_t cobs_encode(uint8_t *output, const uint8_t *input, uint8_t length)
{
    uint8_t code_at = 0;
    uint8_t written = 1;

    /* Each zero is replaced by the distance to the next; the distance to the first, or to the end, goes in front. */
    for (uint8_t i = 0; i < length; i++) {
        if (input[i] == 0) {
            output[code_at] = (uint8_t)(written - code_at);
            code_at = written;
        } else {
            output[written] = input[i];
        }
        written++;
    }
    output[code_at] = (uint8_t)(written - code_at);
    output[written++] = 0;
    return written;
}

uint8_t cobs_decode(uint8_t *message, uint8_t length)
{
    uint8_t to = 0;
    uint8_t from = 0;

    while (from < length) {
        uint8_t code = message[from];
        if (code == 0 || code > length - from) {
            return 0;
        }
        from++;
        for (uint8_t i = 1; i < code; i++) {
            message[to++] = message[from++];
        }
        if (from < length) {
            message[to++] = 0;
        }
    }
    return to;
}
