/* Stands before a loop over the bytes or words of a secret. At -O3 GCC unrolls such a loop, holds the whole secret in
 * registers, and spills what does not fit: hundreds of bytes, deeper than callers wipe. This changes nothing at -Os and
 * -O2, where GCC does not unroll. */
#ifndef TATU_COMMON_NOT_UNROLLED_H
#define TATU_COMMON_NOT_UNROLLED_H

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define TATU_INTERNAL_NOT_UNROLLED _Pragma("GCC unroll 1")
#else
#define TATU_INTERNAL_NOT_UNROLLED
#endif

#endif
