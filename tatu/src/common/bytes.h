/* Words to and from bytes, in any alignment and on any byte order; exclusive-or of byte strings. */
#ifndef TATU_COMMON_BYTES_H
#define TATU_COMMON_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t tatu_internal_load32_le(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void tatu_internal_store32_le(uint8_t bytes[4], uint32_t word)
{
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
}

static inline uint64_t tatu_internal_load64_le(const uint8_t bytes[8])
{
    return (uint64_t)tatu_internal_load32_le(bytes) | (uint64_t)tatu_internal_load32_le(bytes + 4) << 32;
}

static inline void tatu_internal_store64_le(uint8_t bytes[8], uint64_t word)
{
    tatu_internal_store32_le(bytes, (uint32_t)word);
    tatu_internal_store32_le(bytes + 4, (uint32_t)(word >> 32));
}

/* target ^= source */
static inline void tatu_internal_xor(uint8_t *target, const uint8_t *source, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        target[i] ^= source[i];
    }
}

#endif
