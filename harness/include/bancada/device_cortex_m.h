/* Cortex-M in an emulator that has semihosting. */
#ifndef BANCADA_DEVICE_CORTEX_M_H
#define BANCADA_DEVICE_CORTEX_M_H

#include "bancada/device_markers.h"

#define DEVICE_BODY_BYTES 512

/* Packets of up to a kibibyte go through a block cipher in one call. */
#define DEVICE_PACKET_BYTES 1024

#endif
