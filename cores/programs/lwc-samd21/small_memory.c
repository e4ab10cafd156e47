/*
 * The C library of the published builds is newlib-nano, made for size: these functions go byte by byte. The same
 * library of another distribution may go by words.
 */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes)
{
    unsigned char *at = to;
    const unsigned char *of = from;
    for (const unsigned char *end = of + bytes; of != end;) {
        *at++ = *of++;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    unsigned char *at = to;
    const unsigned char *of = from;
    if (of < at && at < of + bytes) {
        while (bytes-- > 0) {
            at[bytes] = of[bytes];
        }
        return to;
    }
    for (const unsigned char *end = of + bytes; of != end;) {
        *at++ = *of++;
    }
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    unsigned char *at = to;
    for (const unsigned char *end = at + bytes; at != end;) {
        *at++ = (unsigned char)value;
    }
    return to;
}
