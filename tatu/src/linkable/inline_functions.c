/* The functions that the headers define inline, as functions of the library: for programs in other languages, which
 * link it and do not compile its headers. A program in C or C++ has no use for this file, and the linker leaves it
 * out. */
#define TATU_INTERNAL_INLINE

#include <tatu/aes.h>
#include <tatu/ccm.h>
#include <tatu/rc6.h>
#include <tatu/speck.h>
