#ifndef SIPHASH_H
#define SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct siphash {
    uint64_t key[2];
};

void siphash_set_key(struct siphash *context, const uint8_t key[16]);
void siphash(const struct siphash *context, uint8_t output[8], const uint8_t *message, size_t length);

#endif
