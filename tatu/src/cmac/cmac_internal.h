/* A whole message, between the files of CMAC. */
#ifndef TATU_CMAC_INTERNAL_H
#define TATU_CMAC_INTERNAL_H

#include "../common/assembly.h"

#if defined(TATU_INTERNAL_XOR_IN_AVR)
#define TATU_INTERNAL_CMAC_IN_AVR
#endif

#if !defined(__ASSEMBLER__)

#include <tatu/cmac.h>

#if defined(TATU_INTERNAL_CMAC_IN_AVR)
/* state ^= the second subkey (SP 800-38B, section 6.1), for a last block that is not whole. */
void tatu_internal_cmac_add_second_subkey(uint8_t state[TATU_MAX_BLOCK_BYTES], const struct tatu_cmac_key *key);

/* The tag of a whole message in `state`. */
void tatu_internal_cmac_avr(const struct tatu_cmac_key *key, uint8_t state[TATU_MAX_BLOCK_BYTES], const uint8_t *input,
                            size_t length);

/* The first `tag_length` bytes of it, 1 to 16, in `tag`. Returns TATU_OK. */
int tatu_internal_cmac_tag_avr(const struct tatu_cmac_key *key, uint8_t *tag, size_t tag_length, const uint8_t *input,
                               size_t length);
#endif

#endif

#endif
