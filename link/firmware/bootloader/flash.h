/* Pages of the flash below the bootloader. MIT licence. */
#ifndef LINK_BOOTLOADER_FLASH_H
#define LINK_BOOTLOADER_FLASH_H

#include <stdint.h>

void flash_read(uint16_t address, uint8_t *to, uint8_t bytes);

/* Writes 128 bytes at a page's address. */
void flash_write_page(uint16_t address, const uint8_t *page);

#endif
