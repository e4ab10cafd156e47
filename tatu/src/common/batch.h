/* How many blocks a mode gives to a cipher at once, if the cipher takes many. */
#ifndef TATU_COMMON_BATCH_H
#define TATU_COMMON_BATCH_H

#include <tatu/block_cipher.h>

#include "assembly.h"

/* The blocks are on the stack. The NEON kernels take eight blocks and convert the round keys at each call. Cortex-M
 * takes two. */
#if defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_BATCH_BLOCKS 64
#else
#define TATU_INTERNAL_BATCH_BLOCKS 8
#endif

/* Where two blocks cost as much as one, a mode that must work block by block also encrypts what it needs next. */
#if defined(TATU_INTERNAL_MANY_BLOCKS) && !defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_PAIRS
#endif

#endif
