/* Timed regions for devices whose cycles an emulator counts: it sees two functions, which do nothing and are never
 * inlined, and counts from the one to the other. Such a device has no timer of its own. */
#ifndef BANCADA_DEVICE_MARKERS_H
#define BANCADA_DEVICE_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif
void device_region_begin(void);
void device_region_end(void);
#if defined(__cplusplus)
}
#endif

#define DEVICE_REGION_BEGIN() device_region_begin()
#define DEVICE_REGION_END() device_region_end()

/* The definitions of both, for the family's source file. */
#define DEVICE_DEFINE_MARKERS                                         \
    __attribute__((noinline, noclone)) void device_region_begin(void) \
    {                                                                 \
        __asm__ __volatile__("" : : : "memory");                      \
    }                                                                 \
    __attribute__((noinline, noclone)) void device_region_end(void)   \
    {                                                                 \
        __asm__ __volatile__("" : : : "memory");                      \
    }

/* True random bytes, for candidates that make IVs: the host's stand in for those of the device's own generator.
 * Returns 0, or -1 if there are none. `state` is ignored. */
#if defined(__cplusplus)
extern "C" {
#endif
int device_entropy(void *state, uint8_t *bytes, size_t length);
#if defined(__cplusplus)
}
#endif

#define DEVICE_CLOCK_HZ 0UL
#define DEVICE_COARSE_CYCLES 1UL
#define device_timer_ticks 0UL

static inline bool device_timer_overflowed(void)
{
    return false;
}

static inline void device_timer_use_coarse(bool coarse)
{
    (void)coarse;
}

#endif
