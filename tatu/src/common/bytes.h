/* Words to and from bytes, at any alignment and for any byte order. Exclusive-or of byte strings. */
#ifndef TATU_COMMON_BYTES_H
#define TATU_COMMON_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "assembly.h"

#if defined(TATU_INTERNAL_NEON)
#include <arm_neon.h>
#endif

/* On a little-endian machine that allows unaligned words, the word is copied. Compilers recognise the shifts below,
 * but still call functions for them when they optimise for size. */
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&              \
    (defined(__ARM_FEATURE_UNALIGNED) || defined(__x86_64__) || defined(__i386__)) && !defined(TATU_PORTABLE)
#define TATU_INTERNAL_READS_ANYWHERE
#endif

#if defined(TATU_INTERNAL_READS_ANYWHERE)

static inline uint32_t tatu_internal_load32_le(const uint8_t bytes[4])
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline void tatu_internal_store32_le(uint8_t bytes[4], uint32_t word)
{
    memcpy(bytes, &word, sizeof word);
}

static inline uint64_t tatu_internal_load64_le(const uint8_t bytes[8])
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline void tatu_internal_store64_le(uint8_t bytes[8], uint64_t word)
{
    memcpy(bytes, &word, sizeof word);
}

#else

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

#endif

/* target ^= source */
static inline void tatu_internal_xor(uint8_t *target, const uint8_t *source, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        target[i] ^= source[i];
    }
}

/* Where a load needs no alignment, most of a long exclusive-or is done in words. */
#if defined(__ARM_FEATURE_UNALIGNED) || defined(__x86_64__) || defined(__i386__)
#define TATU_INTERNAL_XOR_WORDS
#endif

/* output = a ^ b, for long strings. `output` may be `a` or `b`. It may also begin before either and overlap it. */
static inline void tatu_internal_xor_long(uint8_t *output, const uint8_t *a, const uint8_t *b, size_t length)
{
#if defined(TATU_INTERNAL_NEON)
    for (; length >= 16; length -= 16) {
        vst1q_u8(output, veorq_u8(vld1q_u8(a), vld1q_u8(b)));
        output += 16;
        a += 16;
        b += 16;
    }
#endif
#if defined(TATU_INTERNAL_XOR_WORDS)
    for (; length >= sizeof(size_t); length -= sizeof(size_t)) {
        size_t word_of_a;
        size_t word_of_b;

        memcpy(&word_of_a, a, sizeof word_of_a);
        memcpy(&word_of_b, b, sizeof word_of_b);
        word_of_a ^= word_of_b;
        memcpy(output, &word_of_a, sizeof word_of_a);
        output += sizeof(size_t);
        a += sizeof(size_t);
        b += sizeof(size_t);
    }
#endif
    for (; length > 0; length--) {
        *output = (uint8_t)(*a ^ *b);
        output++;
        a++;
        b++;
    }
}

#if defined(TATU_INTERNAL_XOR_IN_AVR)
/* output = a ^ b, at most 255 bytes. */
void tatu_internal_xor_avr(uint8_t *output, const uint8_t *a, const uint8_t *b, uint8_t length);
#endif

#endif
