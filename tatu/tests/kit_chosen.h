/* For tests of known answers: bytes that the test chose in the place of random ones, and digests of what is long. */
#ifndef TATU_TEST_KIT_CHOSEN_H
#define TATU_TEST_KIT_CHOSEN_H

#include <tatu/error.h>
#include <tatu/sha3.h>

#include "kit.h"

/* An entropy function that gives the bytes at `state`. */
static inline int kit_chosen(void *state, uint8_t *output, size_t length)
{
    memcpy(output, state, length);
    return TATU_OK;
}

static inline void kit_check_digest(const uint8_t *bytes, size_t length, const char *expected_text)
{
    uint8_t digest[32], expected[32];

    CHECK(kit_bytes(expected, expected_text) == 32);
    tatu_sha3_256(digest, bytes, length);
    CHECK_BYTES(digest, expected, 32);
}

#endif
