/* Tatu: comparison of secrets.
 *
 * `memcmp` ends at the first byte that differs. Its time tells an attacker how many bytes of a forged tag are right,
 * and so the attacker can find a tag byte by byte. tatu_equal always reads every byte:
 *
 *     if (!tatu_equal(tag, received, sizeof tag)) { ... do not trust the message ... }
 *
 * The functions of Tatu that verify a tag already compare in this way.
 *
 * MIT licence. */
#ifndef TATU_EQUAL_H
#define TATU_EQUAL_H

#include <stddef.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 1 if the first `length` bytes at `a` and `b` are equal, else 0; 1 if `length` is 0. Cannot fail. The time
 * depends on `length` only, not on the bytes. */
TATU_MUST_CHECK int tatu_equal(const void *a, const void *b, size_t length);

#ifdef __cplusplus
}
#endif

#endif
