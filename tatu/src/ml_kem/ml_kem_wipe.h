/* Wipes what the compiler's frames may have left of secrets below the function that calls this. */
#ifndef TATU_ML_KEM_WIPE_H
#define TATU_ML_KEM_WIPE_H

#include <stdint.h>

#include <tatu/wipe.h>

#include "../common/wipe_stack.h"

#if defined(__AVR__)
/* No deeper than what has been used (tatu_internal_wipe_stack does nothing on AVR). */
static __attribute__((noinline)) void tatu_internal_ml_kem_wipe_frames(void)
{
    uint8_t frames[104];

    tatu_wipe(frames, sizeof frames);
}
#else
static inline void tatu_internal_ml_kem_wipe_frames(void)
{
    tatu_internal_wipe_stack(416);
}
#endif

#endif
