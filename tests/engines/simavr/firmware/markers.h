/* Markers that the engine sees: writes to GPIOR0. The same bytes as DEVICE_MARKER_* of the harness. */
#ifndef MARKERS_H
#define MARKERS_H

#define MARKER_BEGIN 0x01
#define MARKER_END 0x02
#define MARKER_READY 0x10
#define MARKER_WAITING 0x11
#define MARKER_HALT 0x12

#ifdef __ASSEMBLER__
/* I/O address of GPIOR0; r20 and r21 hold the two region markers. */
.macro region_begins
    out 0x1e, r20
.endm
.macro region_ends
    out 0x1e, r21
.endm
.macro load_markers
    ldi r20, MARKER_BEGIN
    ldi r21, MARKER_END
.endm
.macro halt
    ldi r22, MARKER_HALT
    out 0x1e, r22
    rjmp .-2
.endm
#else
#include <avr/io.h>
#define MARK(marker) (GPIOR0 = (marker))
#endif

#endif
