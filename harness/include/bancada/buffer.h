/* Where a buffer of bytes begins is arbitrary, and a library that loads words pays for a bad place
 * (docs/reference/metrics.md, "cycles"): all buffers that are handed to a library begin where any type of the
 * machine may. On an AVR that is anywhere. */
#ifndef BANCADA_BUFFER_H
#define BANCADA_BUFFER_H

#include <stdint.h>

#define BUFFER static __attribute__((aligned)) uint8_t

#endif
