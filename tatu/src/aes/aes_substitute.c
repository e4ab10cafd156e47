#include "aes_internal.h"

#if defined(__AVR__)

#include "../common/flash.h"

void tatu_internal_aes_substitute(uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        bytes[i] = TATU_INTERNAL_READ_FLASH_BYTE(&tatu_internal_aes_sbox[bytes[i]]);
    }
}

#else

#include <string.h>

#include <tatu/wipe.h>

#include "aes_substitute_circuit.h"

void tatu_internal_aes_substitute(uint8_t *bytes, uint8_t length)
{
    struct tatu_internal_aes_planes planes;
    uint8_t block[16] = {0};

    memcpy(block, bytes, length);
    tatu_internal_aes_planes_load(&planes, block);
    tatu_internal_aes_planes_substitute(&planes);
    tatu_internal_aes_planes_store(block, &planes);
    memcpy(bytes, block, length);
    tatu_wipe(&planes, sizeof planes);
    tatu_wipe(block, sizeof block);
}

#endif
