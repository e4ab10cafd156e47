/* TatuLink: memory that survives resets, byte by byte. MIT licence. */
#ifndef TATULINK_STORAGE_H
#define TATULINK_STORAGE_H

#include <stdint.h>

/* A byte that has its value already need not be written again: cells wear by writing. When `write` returns, the byte
 * must be in the memory: where writes are collected first, as on an ESP32, `write` commits them. */
struct tatulink_storage {
    uint8_t (*read)(void *context, uint16_t address);
    void (*write)(void *context, uint16_t address, uint8_t value);
    void *context;
};

#endif
