// LowPowerLab's RFM69, class RFM69.
#pragma once

#include <Arduino.h>

#define RF69_868MHZ 86
#define RF69_BROADCAST_ADDR 0

class RFM69
{
  public:
    static uint8_t DATA[61];
    static uint8_t DATALEN;

    bool initialize(uint8_t, uint16_t, uint8_t = 1)
    {
        return true;
    }
    bool receiveDone()
    {
        return true;
    }
    void send(uint16_t, const void *, uint8_t, bool = false)
    {
    }
};

uint8_t RFM69::DATA[61];
uint8_t RFM69::DATALEN = 20;
