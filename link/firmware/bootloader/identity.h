/* Whose signatures hold, and which device this is. `bancada link bootloader` writes it into the bootloader that goes
 * onto a device; without that it is erased flash, and no signature holds. MIT licence. */
#ifndef LINK_BOOTLOADER_IDENTITY_H
#define LINK_BOOTLOADER_IDENTITY_H

#include <avr/pgmspace.h>
#include <stdint.h>
#include <string.h>

#include "bootloader/layout.h"

static inline uint8_t identity_byte(uint8_t at)
{
    return pgm_read_byte((uint16_t)(IDENTITY_AT + at));
}

static inline void identity_read(uint8_t at, uint8_t *to, uint8_t bytes)
{
    memcpy_P(to, (const void *)(uint16_t)(IDENTITY_AT + at), bytes);
}

#endif
