#include "siphash.h"

static uint64_t rotated(uint64_t word, int count)
{
    return word << count | word >> (64 - count);
}

static uint64_t loaded(const uint8_t *bytes, size_t length)
{
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    return word;
}

static void rounds(uint64_t v[4], int count)
{
    while (count-- > 0) {
        v[0] += v[1];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[0] = rotated(v[0], 32);
        v[2] += v[3];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[2] = rotated(v[2], 32);
    }
}

void siphash_set_key(struct siphash *context, const uint8_t key[16])
{
    context->key[0] = loaded(key, 8);
    context->key[1] = loaded(key + 8, 8);
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

void siphash(const struct siphash *context, uint8_t output[8], const uint8_t *message, size_t length)
{
    uint64_t v[4] = {context->key[0] ^ 0x736f6d6570736575ULL, context->key[1] ^ 0x646f72616e646f6dULL,
                     context->key[0] ^ 0x6c7967656e657261ULL, context->key[1] ^ 0x7465646279746573ULL};
    const size_t whole = length - length % 8;
    for (size_t at = 0; at < whole; at += 8) {
        absorb(v, loaded(message + at, 8));
    }
    absorb(v, loaded(message + whole, length % 8) | (uint64_t)(length & 0xff) << 56);
    v[2] ^= 0xff;
    rounds(v, 4);
    const uint64_t word = v[0] ^ v[1] ^ v[2] ^ v[3];
    for (int i = 0; i < 8; i++) {
        output[i] = (uint8_t)(word >> (8 * i));
    }
}
