/* Guard bytes behind what a library may write: set before the first call, looked at when conformance ends. */
#ifndef BANCADA_GUARD_H
#define BANCADA_GUARD_H

#include <stdint.h>

#define GUARD_BYTES 8
#define GUARD_VALUE 0xa5

static inline void guard_set(uint8_t guard[GUARD_BYTES])
{
    for (uint8_t i = 0; i < GUARD_BYTES; i++) {
        guard[i] = GUARD_VALUE;
    }
}

static inline uint8_t guard_holds(const uint8_t guard[GUARD_BYTES])
{
    uint8_t different = 0;
    for (uint8_t i = 0; i < GUARD_BYTES; i++) {
        different |= guard[i] ^ GUARD_VALUE;
    }
    return different == 0;
}

#endif
