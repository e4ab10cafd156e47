#include "equal.h"

#include <tatu/equal.h>

int tatu_equal(const void *a, const void *b, size_t length)
{
    return tatu_internal_equal((const uint8_t *)a, (const uint8_t *)b, length);
}
