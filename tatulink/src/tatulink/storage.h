/* TatuLink: memory that survives resets, byte by byte. MIT licence. */
#ifndef TATULINK_STORAGE_H
#define TATULINK_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

/* A byte that has its value already need not be written again: cells wear by writing. Bytes may be collected until
 * `commit`, as on an ESP32: it returns true if all of them are in the memory now. It may be NULL. */
struct tatulink_storage {
    uint8_t (*read)(void *context, uint16_t address);
    void (*write)(void *context, uint16_t address, uint8_t value);
    bool (*commit)(void *context);
    void *context;
};

#endif
