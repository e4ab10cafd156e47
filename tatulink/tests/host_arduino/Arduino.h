// What TatuLink.h needs of Arduino's core, on a computer.
#ifndef HOST_ARDUINO_H
#define HOST_ARDUINO_H

#include <stddef.h>
#include <stdint.h>

class __FlashStringHelper;

#endif
