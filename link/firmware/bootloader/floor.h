/* The highest version that was ever run: no lower one is installed. It lies in two pages of flash that only the
 * bootloader can write, so no program can lower it. A page is 32 times the version and its complement: a page that the
 * supply left half erased or half written has bits that went one way only, and does not count. The page that counts is
 * never written. MIT licence. */
#ifndef LINK_BOOTLOADER_FLOOR_H
#define LINK_BOOTLOADER_FLOOR_H

#include <stdint.h>

/* 0 on a new device. */
uint16_t floor_version(void);

void floor_raise(uint16_t version);

#endif
