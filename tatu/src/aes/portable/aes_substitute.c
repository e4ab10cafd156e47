#include "../aes_backend.h"
#include "../aes_internal.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#include "../../common/flash.h"

void tatu_internal_aes_substitute(tatu_internal_aes_cell *cells, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        cells[i] = TATU_INTERNAL_READ_FLASH_BYTE(&tatu_internal_aes_sbox[cells[i]]);
    }
}

#elif !defined(TATU_INTERNAL_AES_PLAIN_IN_NEON) /* with NEON: aes_substitute_neon.c */

#include "../aes_substitute_circuit.h"

void tatu_internal_aes_substitute(tatu_internal_aes_cell *cells, uint8_t count)
{
    struct tatu_internal_aes_planes planes = tatu_internal_aes_planes_load(cells, count);

    tatu_internal_aes_planes_substitute(&planes);
    tatu_internal_aes_planes_store(cells, count, &planes);
}

#endif
