/* An entropy function that gives the bytes that a test chose. */
#ifndef TATU_TESTS_CHOSEN_BYTES_H
#define TATU_TESTS_CHOSEN_BYTES_H

#include <tatu/error.h>

#include "driver_buffers.h"

#define FAILURE (-99)

/* One call for all that is asked for, of the bytes of the buffer that `state` is; NULL or another length fails. */
static inline int chosen(void *state, uint8_t *output, size_t length)
{
    const struct buffer *bytes = state;

    memset(output, 0x5a, length);
    if (bytes == NULL || bytes->length != length) {
        return FAILURE;
    }
    memcpy(output, bytes->bytes, length);
    return TATU_OK;
}

#endif
