/* A word of SHA-256 as bytes. */
#ifndef TATU_SHA2_STORE_BIG_ENDIAN_H
#define TATU_SHA2_STORE_BIG_ENDIAN_H

#include <stdint.h>

static inline void store_big_endian(uint8_t bytes[4], uint32_t word)
{
    bytes[0] = (uint8_t)(word >> 24);
    bytes[1] = (uint8_t)(word >> 16);
    bytes[2] = (uint8_t)(word >> 8);
    bytes[3] = (uint8_t)word;
}

#endif
