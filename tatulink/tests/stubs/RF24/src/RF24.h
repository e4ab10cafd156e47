// RF24, class RF24.
#pragma once

#include <Arduino.h>

class RF24
{
  public:
    RF24(uint16_t, uint16_t)
    {
    }
    bool begin()
    {
        return true;
    }
    void enableDynamicPayloads()
    {
    }
    void openWritingPipe(const uint8_t *)
    {
    }
    void openReadingPipe(uint8_t, const uint8_t *)
    {
    }
    void startListening()
    {
    }
    void stopListening()
    {
    }
    bool available()
    {
        return true;
    }
    uint8_t getDynamicPayloadSize()
    {
        return 20;
    }
    void read(void *, uint8_t)
    {
    }
    bool write(const void *, uint8_t)
    {
        return true;
    }
};
