/* The key stream of counter mode. */
#ifndef TATU_CTR_STREAM_H
#define TATU_CTR_STREAM_H

#include "../common/assembly.h"

#if defined(TATU_INTERNAL_XOR_IN_AVR)
#define TATU_INTERNAL_CTR_IN_AVR
#endif

#if !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>

#pragma GCC visibility push(hidden)

/* output = input ^ key stream from `counter` on; leaves in `counter` the first block not used (SP 800-38A, section
 * 6.5). output == input is allowed; otherwise `output` may begin at most one block before `input`. */
void tatu_internal_ctr_stream(const struct tatu_block_encrypter *cipher, uint8_t *counter, uint8_t *output,
                              const uint8_t *input, size_t length);

#pragma GCC visibility pop

#endif

#endif
