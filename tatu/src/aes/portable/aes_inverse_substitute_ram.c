#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

void tatu_internal_aes_inverse_substitute_ram(tatu_internal_aes_cell *cells, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        cells[i] = tatu_internal_aes_inverse_sbox_ram[cells[i]];
    }
}

#endif
