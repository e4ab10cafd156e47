/* tatu_equal: equal buffers of every length, every single changed bit, and the bytes after the end. And the version. */
#include <tatu/equal.h>
#include <tatu/version.h>

#include "kit.h"

#define LONGEST 40

int main(void)
{
    for (size_t length = 0; length <= LONGEST; length++) {
        uint8_t a[LONGEST + 1], b[LONGEST + 1];

        kit_fill(a, sizeof a);
        memcpy(b, a, sizeof a);
        b[length] = (uint8_t)~b[length];
        CHECK(tatu_equal(a, b, length) == 1);
        for (size_t bit = 0; bit < 8 * length; bit++) {
            b[bit / 8] = (uint8_t)(b[bit / 8] ^ 1 << bit % 8);
            CHECK(tatu_equal(a, b, length) == 0);
            b[bit / 8] = (uint8_t)(b[bit / 8] ^ 1 << bit % 8);
        }
        for (size_t i = 0; i < length; i++) { /* differences that would cancel each other in a sum */
            b[i] = (uint8_t)~b[i];
        }
        CHECK(tatu_equal(a, b, length) == (length == 0));
    }
    CHECK(tatu_equal(NULL, NULL, 0) == 1);
    CHECK(TATU_VERSION_NUMBER(0, 10, 0) > TATU_VERSION_NUMBER(0, 9, 999));
    CHECK(TATU_VERSION == TATU_VERSION_NUMBER(TATU_VERSION_MAJOR, TATU_VERSION_MINOR, TATU_VERSION_PATCH));
    return kit_result();
}
