/* Tatu: erasing secrets.
 *
 * `memset` before the end of a buffer's life is dead code to an optimiser, which removes it. tatu_wipe is not
 * removed. Wipe a key context when you no longer need it, and any buffer that held a key or a plaintext:
 *
 *     tatu_aes128_set_key(&context, key);
 *     ...
 *     tatu_wipe(&context, sizeof context);
 *     tatu_wipe(key, sizeof key);
 *
 * Tatu's own functions wipe their temporaries before they return, and on Arm what the compiler put on the stack
 * besides: with GCC 12, tests find nothing below the stack pointer that depends on a secret, on AVR (-Os), Cortex-M0+
 * and M4 (-Os, -O2, -O3), M3, A8 and AArch64 (-O2). What is left in registers, and what other compilers and other
 * options do, is out of a C library's reach.
 *
 * MIT licence. */
#ifndef TATU_WIPE_H
#define TATU_WIPE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Overwrites `length` bytes at `buffer` with zeros. `length` may be 0. Cannot fail. Time: depends on `length` only. */
void tatu_wipe(void *buffer, size_t length);

#ifdef __cplusplus
}
#endif

#endif
