/* TatuLink: what a status means, in a sentence. MIT licence. */
#ifndef TATULINK_WHY_H
#define TATULINK_WHY_H

#include <tatulink/link.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sentence without a full stop. On AVR it is in flash: print it as a __FlashStringHelper, or read it with
 * pgm_read_byte. */
const char *tatulink_why(enum tatulink_status status);

#ifdef __cplusplus
}
#endif

#endif
