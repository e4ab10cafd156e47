/* A test kit in one page: CHECK counts and says what failed, and a test ends with `return kit_result();`. */
#ifndef TATU_TEST_KIT_H
#define TATU_TEST_KIT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned kit_checks;
static unsigned kit_failures;

#define CHECK(condition)                                                            \
    do {                                                                            \
        kit_checks++;                                                               \
        if (!(condition)) {                                                         \
            kit_failures++;                                                         \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                           \
    } while (0)

#define CHECK_BYTES(got, expected, length) CHECK(memcmp((got), (expected), (length)) == 0)

static inline int kit_result(void)
{
    printf("%u checks, %u failed\n", kit_checks, kit_failures);
    return kit_failures == 0 && kit_checks > 0 ? 0 : 1;
}

/* Bytes from hexadecimal text, as standards print them; blanks are skipped. Returns how many. */
static inline size_t kit_bytes(uint8_t *bytes, const char *hexadecimal)
{
    size_t digits = 0;

    for (; *hexadecimal != '\0'; hexadecimal++) {
        const char *const all = "0123456789abcdef";
        const char *const digit = strchr(all, *hexadecimal);

        if (digit != NULL) {
            const uint8_t value = (uint8_t)(digit - all);

            bytes[digits / 2] = (uint8_t)(digits % 2 == 0 ? value << 4 : bytes[digits / 2] | value);
            digits++;
        }
    }
    return digits / 2;
}

/* Pseudo-random bytes, the same in each run: Marsaglia's xorshift32. */
static inline void kit_fill(uint8_t *bytes, size_t length)
{
    static uint32_t state = UINT32_C(2463534242);

    for (size_t i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes[i] = (uint8_t)state;
    }
}

static inline int kit_is_zero(const uint8_t *bytes, size_t length)
{
    uint8_t all = 0;

    for (size_t i = 0; i < length; i++) {
        all |= bytes[i];
    }
    return all == 0;
}

/* An entropy function that returns the bytes of a test vector, and fails when they run out. */
struct kit_entropy {
    const uint8_t *bytes;
    size_t left;
};

static inline int kit_entropy_take(void *state, uint8_t *output, size_t length)
{
    struct kit_entropy *const entropy = (struct kit_entropy *)state;

    if (length > entropy->left) {
        memset(output, 0xa5, length); /* what a failing source leaves behind must not be used */
        return -99;
    }
    memcpy(output, entropy->bytes, length);
    entropy->bytes += length;
    entropy->left -= length;
    return 0;
}

#endif
