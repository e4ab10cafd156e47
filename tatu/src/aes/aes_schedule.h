/* One step of the key schedule of AES, for expansion and for walking it on the fly (FIPS 197, section 5.2). */
#ifndef TATU_AES_SCHEDULE_H
#define TATU_AES_SCHEDULE_H

#include <stdint.h>

#include "aes_internal.h"

/* target ^= f(previous), where `target` holds w[i - Nk], `previous` w[i - 1], and f depends on `phase`, the byte index
 * 4(i mod Nk): this makes w[i]; applied to w[i] it gives w[i - Nk] back. */
void tatu_internal_aes_schedule_step(uint8_t target[4], const uint8_t previous[4], uint8_t phase, uint8_t key_bytes,
                                     uint8_t round_constant, tatu_internal_aes_substitution *substitute);

#endif
