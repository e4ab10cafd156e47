/* Wipes what the compiler's frames may have left of secrets below the function that calls this. */
#ifndef TATU_ML_KEM_WIPE_H
#define TATU_ML_KEM_WIPE_H

#include <stdint.h>

#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "ml_kem_backend.h"

#if defined(__AVR__)
/* No deeper than what has been used (tatu_internal_wipe_stack does nothing on AVR). */
static __attribute__((noinline)) void tatu_internal_ml_kem_wipe_frames(void)
{
    uint8_t frames[104];

    tatu_wipe(frames, sizeof frames);
}
#else
/* With NEON on AArch32 the compiler stores what does not fit into 16 registers. */
#if defined(TATU_INTERNAL_ML_KEM_IN_NEON) && !defined(__aarch64__)
#define TATU_INTERNAL_ML_KEM_FRAMES_BYTES 640
#else
#define TATU_INTERNAL_ML_KEM_FRAMES_BYTES 416
#endif

static inline void tatu_internal_ml_kem_wipe_frames(void)
{
    tatu_internal_wipe_stack(TATU_INTERNAL_ML_KEM_FRAMES_BYTES);
}
#endif

#endif
