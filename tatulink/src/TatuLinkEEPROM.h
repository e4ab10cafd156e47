// TatuLink's memory in the EEPROM that Arduino's library of that name gives. MIT licence.
//
// Where EEPROM is a piece of flash (ESP32, ESP8266, RP2040), a sketch calls EEPROM.begin(TATULINK_STORAGE_BYTES) before
// sealed.begin().
#ifndef TATULINK_EEPROM_H
#define TATULINK_EEPROM_H

#include <EEPROM.h>
#include <tatulink/storage.h>

// Behind its end an AVR's EEPROM begins again: what is written there would take the place of the device's own counter.
// So there is nothing there, and TatuLink says TATULINK_WORN.
static inline bool tatuLinkHasEEPROM(uint16_t address)
{
    return address < EEPROM.length();
}

static inline uint8_t tatuLinkReadEEPROM(void *, uint16_t address)
{
    return tatuLinkHasEEPROM(address) ? EEPROM.read(address) : 0xff;
}

static inline void tatuLinkWriteEEPROM(void *, uint16_t address, uint8_t value)
{
    if (tatuLinkHasEEPROM(address) && EEPROM.read(address) != value) {
        EEPROM.write(address, value);
    }
}

#if defined(ARDUINO_ARCH_ESP32) || defined(ARDUINO_ARCH_ESP8266) || defined(ARDUINO_ARCH_RP2040)
static inline bool tatuLinkCommitEEPROM(void *)
{
    return EEPROM.commit();
}
#define TATULINK_COMMIT_EEPROM tatuLinkCommitEEPROM
#else
#define TATULINK_COMMIT_EEPROM NULL
#endif

static const tatulink_storage tatuLinkEEPROM = {tatuLinkReadEEPROM, tatuLinkWriteEEPROM, TATULINK_COMMIT_EEPROM, NULL};

#endif
