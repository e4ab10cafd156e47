/* AES with tables in RAM, where the user says that they are safe there (tatu/aes.h).
 *
 * A context has the round keys of FIPS 197, section 5.2, and then those of the equivalent inverse cipher (section
 * 5.3.5) without the first, which is the last of the former: 2 * rounds + 1 keys of 4 words, row 0 in the lowest
 * byte. */
#ifndef TATU_AES_RAM_H
#define TATU_AES_RAM_H

#include "aes_backend.h"

#if defined(TATU_INTERNAL_AES_RAM_TABLES)

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Entry x has S(x), S(x), 3 S(x) and 2 S(x), the first in the lowest byte, where S is the S-box. */
extern uint32_t tatu_internal_aes_ram_table[256];

void tatu_internal_aes_ram_expand_key(uint32_t *round_keys, const uint8_t *key, uint8_t key_bytes);

#pragma GCC visibility pop

#endif

#endif
