/* What the parts of the firmware's host library share: the simulated hardware, and the counter that calls are about. */
#ifndef FIRMWARE_HOST_H
#define FIRMWARE_HOST_H

#include "core/counter.h"

#define EEPROM_BYTES 1024

struct hardware {
    uint8_t eeprom[EEPROM_BYTES];
    uint32_t wear[EEPROM_BYTES];
    int64_t writes_left; /* before power fails; negative: it does not */
    uint8_t torn; /* what the cell holds whose write the power failed in */
    uint8_t stuck[EEPROM_BYTES]; /* nonzero: the cell is worn out and keeps what it holds */
    uint16_t milliseconds;
    bool (*aux)(void);
    void (*mode)(bool m1, bool m0);
    void (*put)(uint8_t byte);
    int (*get)(uint8_t timeout_ms); /* negative: nothing came */
    void (*tick)(void); /* each millisecond of waiting */
    uint8_t registers[256]; /* of the clock */
    bool clock_absent;
};

extern struct hardware host;
extern struct counter host_counter;

struct identity host_identity_of(uint16_t device, uint8_t suite, uint8_t epoch, const uint8_t *key);

#endif
