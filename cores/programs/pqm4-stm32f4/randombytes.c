/* Numbers of a linear congruential generator, where pqm4 reads the device's own. No row draws more than 64 bytes. */
#include "randombytes.h"

int randombytes(uint8_t *to, size_t bytes)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 1664525U + 1013904223U;
        to[i] = (uint8_t)(state >> 24);
    }
    return 0;
}
