/* How long a frame of 32 bytes is on the air, in milliseconds (docs/reference/link-simulation.md). The modulation of
 * faster rates is not documented: no longer than at 4800. MIT licence. */
#ifndef LINK_AIR_TIME_H
#define LINK_AIR_TIME_H

#include "core/e32.h"

#if LINK_AIR_RATE == 300
#define FRAME_ON_AIR_MS 3285
#elif LINK_AIR_RATE == 1200
#define FRAME_ON_AIR_MS 740
#elif LINK_AIR_RATE == 2400
#define FRAME_ON_AIR_MS 370
#else
#define FRAME_ON_AIR_MS 144
#endif

/* 32 bytes on a serial line of the module at 9600 8N1. */
#define FRAME_ON_LINE_MS 34

#endif
