/* A process under Linux: the monitor is on standard input and output. */
#ifndef BANCADA_DEVICE_LINUX_H
#define BANCADA_DEVICE_LINUX_H

#include "bancada/device_markers.h"

#define DEVICE_BODY_BYTES 16384

/* Packets of up to a mebibyte go through a block cipher in one call. */
#define DEVICE_PACKET_BYTES 1048576

#endif
