/* What the fuzz targets share: the fuzzer's bytes taken one after the other, buffers of exact length for the address
 * sanitizer, and a check that ends the program. */
#ifndef TATU_FUZZ_H
#define TATU_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reader {
    const uint8_t *at;
    size_t left;
};

/* Zeros follow the end. */
static inline uint8_t next_byte(struct reader *reader)
{
    if (reader->left == 0) {
        return 0;
    }
    reader->left--;
    return *reader->at++;
}

static inline void take(struct reader *reader, uint8_t *output, size_t length)
{
    for (; length > 0; length--) {
        *output++ = next_byte(reader);
    }
}

static inline uint8_t *new_buffer(size_t length)
{
    uint8_t *const buffer = malloc(length);

    CHECK(buffer != NULL || length == 0);
    if (length > 0) {
        memset(buffer, 0xa5, length);
    }
    return buffer;
}

static inline uint8_t *take_buffer(struct reader *reader, size_t length)
{
    uint8_t *const buffer = new_buffer(length);

    take(reader, buffer, length);
    return buffer;
}

static inline uint8_t *copy_buffer(const uint8_t *source, size_t length)
{
    uint8_t *const buffer = new_buffer(length);

    if (length > 0) {
        memcpy(buffer, source, length);
    }
    return buffer;
}

static inline int is_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    return length == 0 || memcmp(a, b, length) == 0;
}

static inline int is_zero(const uint8_t *bytes, size_t length)
{
    for (; length > 0; length--) {
        if (*bytes++ != 0) {
            return 0;
        }
    }
    return 1;
}

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
