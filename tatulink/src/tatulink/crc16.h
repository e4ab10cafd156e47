/* CRC-16/CCITT-FALSE: polynomial x^16 + x^12 + x^5 + 1, first value 0xffff, no reflection. Finds every error burst of
 * up to 16 bits. MIT licence. */
#ifndef TATULINK_CRC16_H
#define TATULINK_CRC16_H

#include <stddef.h>
#include <stdint.h>

#define CRC16_START 0xffffU

/* For the linker: a program may have a crc16_add of its own. */
#define crc16_add tatulink_crc16_add

/* The CRC of what came before and `length` more bytes. */
uint16_t crc16_add(uint16_t crc, const uint8_t *bytes, size_t length);

#endif
