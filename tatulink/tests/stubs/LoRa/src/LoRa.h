// arduino-LoRa, API.md.
#pragma once

#include <Arduino.h>

class LoRaClass : public Stream
{
  public:
    int begin(long)
    {
        return 1;
    }
    int beginPacket(int = false)
    {
        return 1;
    }
    int endPacket(bool = false)
    {
        return 1;
    }
    int parsePacket(int = 0)
    {
        return 20;
    }
    size_t write(uint8_t) override
    {
        return 1;
    }
    size_t write(const uint8_t *, size_t size) override
    {
        return size;
    }
    int available() override
    {
        return 1;
    }
    int read() override
    {
        return 0;
    }
    int peek() override
    {
        return 0;
    }
    void flush() override
    {
    }
};

static LoRaClass LoRa;
