/* Consistent overhead byte stuffing (Cheshire, Baker 1997): bytes without a zero, so that a zero can end a message.
 * MIT licence. */
#ifndef LINK_COBS_H
#define LINK_COBS_H

#include <stddef.h>
#include <stdint.h>

/* What encoding adds at most to a message of up to 253 bytes: one byte, and the zero behind it. */
#define COBS_OVERHEAD_BYTES 2

/* Encodes at most 253 bytes and ends them with a zero. Returns the bytes written. Buffers must not overlap. */
uint8_t cobs_encode(uint8_t *output, const uint8_t *input, uint8_t length);

/* Decodes a message of at most 253 bytes, without its final zero, in place. Its length; 0 if it is no encoding. */
uint8_t cobs_decode(uint8_t *message, uint8_t length);

#endif
