/* Constant tables. On AVR a plain `const` table is copied to RAM at start-up; these stay in flash, read by LPM. */
#ifndef TATU_COMMON_FLASH_H
#define TATU_COMMON_FLASH_H

#if defined(__AVR__)
#include <avr/pgmspace.h>
#define TATU_INTERNAL_IN_FLASH                 PROGMEM
#define TATU_INTERNAL_READ_FLASH_BYTE(address) pgm_read_byte(address)
#else
#define TATU_INTERNAL_IN_FLASH
#define TATU_INTERNAL_READ_FLASH_BYTE(address) (*(address))
#endif

#endif
