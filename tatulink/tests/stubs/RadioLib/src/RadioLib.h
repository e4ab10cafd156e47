// RadioLib, reference of PhysicalLayer and SX1278.
#pragma once

#include <Arduino.h>

#define RADIOLIB_ERR_NONE (0)

class Module
{
  public:
    Module(uint32_t, uint32_t, uint32_t, uint32_t)
    {
    }
};

class SX1278
{
  public:
    SX1278(Module *)
    {
    }
    int16_t begin()
    {
        return RADIOLIB_ERR_NONE;
    }
    int16_t transmit(const uint8_t *, size_t, uint8_t = 0)
    {
        return RADIOLIB_ERR_NONE;
    }
    int16_t receive(uint8_t *, size_t)
    {
        return RADIOLIB_ERR_NONE;
    }
    size_t getPacketLength(bool = true)
    {
        return 20;
    }
};
