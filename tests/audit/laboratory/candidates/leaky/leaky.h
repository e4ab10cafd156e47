#ifndef LEAKY_H
#define LEAKY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct leaky {
    uint8_t key[16];
};

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input);

#endif
