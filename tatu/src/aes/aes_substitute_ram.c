#include "aes_internal.h"

#if defined(__AVR__)

void tatu_internal_aes_substitute_ram(tatu_internal_aes_cell *cells, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        cells[i] = tatu_internal_aes_sbox_ram[cells[i]];
    }
}

#endif
