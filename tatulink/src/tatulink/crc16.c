#include "tatulink/crc16.h"

uint16_t crc16_add(uint16_t crc, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        /* A byte at a time without a table: the polynomial has so few terms that eight steps fold into five
         * exclusive-ors. The tests hold it against the definition, bit by bit. */
        uint8_t high = (uint8_t)((crc >> 8) ^ bytes[i]);
        high = (uint8_t)(high ^ (high >> 4));
        uint16_t folded = high;
        crc = (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)(folded << 12) ^ (uint16_t)(folded << 5) ^ folded);
    }
    return crc;
}
