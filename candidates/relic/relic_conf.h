/* RELIC's configuration, which its own build makes from include/relic_conf.h.in: here by hand, and only what compiling
 * the AES module asks for. Its headers declare all of RELIC, so they need the sizes of numbers and fields that nothing
 * here uses.
 *
 * WSIZE follows the processor, as RELIC's presets do. ALLOC AUTO keeps everything on the stack. */
#ifndef RLC_CONF_H
#define RLC_CONF_H

/* Names of choices, numbered as in relic_conf.h.in, for the headers to compare with. */
#define AVR 1
#define MSP 2
#define ARM 3
#define X86 4
#define X64 5
#define EASY 1
#define GMP 2
#define GMP_SEC 3
#define AUTO 1
#define DYNAMIC 2
#define SINGLE 0
#define CARRY 1
#define DOUBLE 2

#define WSIZE (8 * __SIZEOF_POINTER__)
#define ALIGN 1
#define ARITH EASY
#define ALLOC AUTO
#define CORES 1

#define BN_PRECI 1024
#define BN_MAGNI DOUBLE
#define FP_PRIME 256
#define FB_POLYN 283

#include "relic_label.h"

#endif
