/* Poly1305's message, in blocks (RFC 8439, sections 2.5.1 and 2.8). */
#include "../poly1305_internal.h"

#include <string.h>

void tatu_internal_poly1305_update(struct tatu_internal_poly1305 *poly1305, const uint8_t *input, size_t length)
{
    if (poly1305->position == 0) {
        size_t count = length / TATU_INTERNAL_POLY1305_BLOCK_BYTES;
#if defined(TATU_INTERNAL_POLY1305_NEON)
        if (count >= TATU_INTERNAL_POLY1305_NEON_BLOCKS) {
            const size_t many = count - count % 4;
            tatu_internal_poly1305_multiply_neon(poly1305->accumulator, poly1305->r, input, many);
            input += many * TATU_INTERNAL_POLY1305_BLOCK_BYTES;
            length -= many * TATU_INTERNAL_POLY1305_BLOCK_BYTES;
            count -= many;
        }
#endif
        if (count > 0) {
            tatu_internal_poly1305_multiply(poly1305->accumulator, poly1305->r, input, count);
            input += count * TATU_INTERNAL_POLY1305_BLOCK_BYTES;
            length %= TATU_INTERNAL_POLY1305_BLOCK_BYTES;
        }
    }
    while (length-- > 0) {
        poly1305->block[poly1305->position++] = *input++;
        if (poly1305->position == TATU_INTERNAL_POLY1305_BLOCK_BYTES) {
            tatu_internal_poly1305_multiply(poly1305->accumulator, poly1305->r, poly1305->block, 1);
            poly1305->position = 0;
        }
    }
}

void tatu_internal_poly1305_pad(struct tatu_internal_poly1305 *poly1305)
{
    if (poly1305->position != 0) {
        memset(poly1305->block + poly1305->position, 0,
               (size_t)(TATU_INTERNAL_POLY1305_BLOCK_BYTES - poly1305->position));
        tatu_internal_poly1305_multiply(poly1305->accumulator, poly1305->r, poly1305->block, 1);
        poly1305->position = 0;
    }
}
