// EEPROM as it is on an ESP32: what is written is read back at once, and reaches the flash with commit(), if at all. But
// behind its end it begins again, as on an AVR.
#ifndef HOST_EEPROM_H
#define HOST_EEPROM_H

#include <stdint.h>
#include <string.h>

struct HostEEPROM {
    uint8_t read(int address) const
    {
        return cache[address % length()];
    }
    void write(int address, uint8_t value)
    {
        cache[address % length()] = value;
    }
    bool commit()
    {
        if (flashWorks) {
            memcpy(flash, cache, sizeof flash);
        }
        return flashWorks;
    }
    uint16_t length() const
    {
        return sizeof cache;
    }
    void reset()
    {
        memcpy(cache, flash, sizeof cache);
    }

    uint8_t cache[1024];
    uint8_t flash[1024];
    bool flashWorks = true;
};

extern HostEEPROM EEPROM;

#endif
