/* How many blocks the modes give a cipher at once that takes many. */
#ifndef TATU_COMMON_BATCH_H
#define TATU_COMMON_BATCH_H

#include <tatu/block_cipher.h>

#include "assembly.h"

/* They lie on the stack. The NEON kernels take eight, and convert the round keys at each call; Cortex-M takes two. */
#if defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_BATCH_BLOCKS 64
#else
#define TATU_INTERNAL_BATCH_BLOCKS 8
#endif

/* Where two blocks cost no more than one, a mode that must go block by block takes along what it will need next. */
#if defined(TATU_INTERNAL_MANY_BLOCKS) && !defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_PAIRS
#endif

#endif
