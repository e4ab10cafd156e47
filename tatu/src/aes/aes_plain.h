/* Plain AES in C, as the device computes it: fix-sliced, or with round keys in bytes. `context` is any of struct tatu_aes128, tatu_aes192
 * and tatu_aes256; `substitute` is what tells ram from plain where there are tables. */
#ifndef TATU_AES_PLAIN_H
#define TATU_AES_PLAIN_H

#include <tatu/aes.h>

#include "aes_fixsliced.h"
#include "aes_internal.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED)

#define TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, key_bytes, substitute)                                           \
    tatu_internal_aes_fixsliced_expand_key((context)->round_keys, (key), (key_bytes))
#define TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, rounds, output, input, substitute)                                    \
    tatu_internal_aes_fixsliced_encrypt((context)->round_keys, (rounds), (output), (input), 1)
#define TATU_INTERNAL_AES_PLAIN_DECRYPT(context, rounds, output, input, inverse_substitute)                            \
    tatu_internal_aes_fixsliced_decrypt((context)->round_keys, (rounds), (output), (input), 1)

#else

#define TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, key_bytes, substitute)                                           \
    tatu_internal_aes_expand_key((uint8_t *)(context)->round_keys, (key), (key_bytes), (substitute))
#define TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, rounds, output, input, substitute)                                    \
    tatu_internal_aes_encrypt((const uint8_t *)(context)->round_keys, (rounds), (output), (input), (substitute))
#define TATU_INTERNAL_AES_PLAIN_DECRYPT(context, rounds, output, input, inverse_substitute)                            \
    tatu_internal_aes_decrypt((const uint8_t *)(context)->round_keys, (rounds), (output), (input), (inverse_substitute))

#endif

#endif
