/* The board layer: all that the monitor asks of a device. One file in src/ for each family. */
#ifndef BANCADA_DEVICE_H
#define BANCADA_DEVICE_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Serial port at the target's baud rate, timer running, interrupts off. */
void device_init(void);

/* The next byte from the host; waits for it. */
uint8_t device_get(void);

/* One byte to the host. */
void device_put(uint8_t byte);

/* Called when a whole command has been handled and the next is awaited: a simulator may stop the clock here. */
void device_waiting(void);

/* Memory that survives a reset, a different value after each: tells the host that the device restarted. */
uint16_t device_boot_nonce(void);

#if defined(__cplusplus)
}
#endif

/* The header for the family defines two statement macros around what is timed:
 *
 *   DEVICE_REGION_BEGIN()  DEVICE_REGION_END()
 *
 * device_timer_ticks then holds the time of the last region on the device's own timer, with the cost of an empty region
 * included. The unit is one cycle, or DEVICE_COARSE_CYCLES after device_timer_use_coarse(true).
 * device_timer_overflowed() says whether the last region was longer than the timer can count. DEVICE_CLOCK_HZ is zero
 * where the device does not know its clock. DEVICE_BODY_BYTES is the longest body of a frame. DEVICE_PACKET_BYTES, where
 * it is defined, is the longest packet that a block cipher takes in one call. */
#if defined(__AVR__)
#include "bancada/device_avr.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "bancada/device_cortex_m.h"
#elif defined(__linux__)
#include "bancada/device_linux.h"
#else
#error "no board layer for this device: add harness/include/bancada/device_<family>.h"
#endif

#endif
