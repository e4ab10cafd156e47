#include "aes_internal.h"

#if defined(__AVR__)

void tatu_internal_aes_substitute_ram(uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        bytes[i] = tatu_internal_aes_sbox_ram[bytes[i]];
    }
}

#endif
