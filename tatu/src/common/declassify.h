/* Says that a value which was computed from secrets is public, so that a branch may depend on it. It does nothing: a
 * test that follows secrets defines TATU_TEST_DECLASSIFY(address, length) to be told. */
#ifndef TATU_COMMON_DECLASSIFY_H
#define TATU_COMMON_DECLASSIFY_H

#if defined(TATU_TEST_DECLASSIFY)
#include <stddef.h>
void TATU_TEST_DECLASSIFY(void *address, size_t length);
#define TATU_INTERNAL_DECLASSIFY(value) TATU_TEST_DECLASSIFY(&(value), sizeof(value))
#else
#define TATU_INTERNAL_DECLASSIFY(value) ((void)0)
#endif

#endif
