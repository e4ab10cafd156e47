/* Constant tables. On AVR the start-up code copies an ordinary `const` table to RAM. These tables stay in flash and
 * are read with LPM.
 *
 * clang does not know PROGMEM of avr-libc (the attribute `progmem`). It warns and puts the table into RAM, and LPM
 * then reads something else. So clang gets the section name that gcc makes of the attribute. clang also cannot
 * assign the four registers that the assembly of pgm_read_dword needs. */
#ifndef TATU_COMMON_FLASH_H
#define TATU_COMMON_FLASH_H

#if defined(__AVR__)
#include <avr/pgmspace.h>
#define TATU_INTERNAL_READ_FLASH_BYTE(address) pgm_read_byte(address)
#if defined(__clang__)
#include <stdint.h>
#define TATU_INTERNAL_IN_FLASH __attribute__((section(".progmem.data")))
static inline uint32_t tatu_internal_read_flash_word(const uint32_t *address)
{
    const uint8_t *bytes = (const uint8_t *)address;

    return (uint32_t)pgm_read_byte(bytes) | (uint32_t)pgm_read_byte(bytes + 1) << 8 |
           (uint32_t)pgm_read_byte(bytes + 2) << 16 | (uint32_t)pgm_read_byte(bytes + 3) << 24;
}
#define TATU_INTERNAL_READ_FLASH_WORD(address) tatu_internal_read_flash_word(address)
#else
#define TATU_INTERNAL_IN_FLASH PROGMEM
#define TATU_INTERNAL_READ_FLASH_WORD(address) pgm_read_dword(address)
#endif
#else
#define TATU_INTERNAL_IN_FLASH
#define TATU_INTERNAL_READ_FLASH_BYTE(address) (*(address))
#define TATU_INTERNAL_READ_FLASH_WORD(address) (*(address))
#endif

#endif
