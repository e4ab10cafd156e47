/* Comparison of secrets such as tags. Its time depends on the length only. */
#ifndef TATU_COMMON_EQUAL_H
#define TATU_COMMON_EQUAL_H

#include <stddef.h>
#include <stdint.h>

/* 1 if the first `length` bytes of `a` and `b` are equal, else 0. It always reads every byte. */
static inline int tatu_internal_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference = (uint8_t)(difference | (a[i] ^ b[i]));
    }
    return (int)(((unsigned int)difference - 1u) >> 8 & 1u);
}

#endif
