/* Plain AES in C: fix-sliced, or with the round keys as bytes. `context` is a struct tatu_aes128, tatu_aes192 or
 * tatu_aes256. `substitute` says where the S-box is, on devices that have it as a table. */
#ifndef TATU_AES_PLAIN_H
#define TATU_AES_PLAIN_H

#include <tatu/aes.h>

#include "aes_fixsliced.h"
#include "aes_internal.h"
#include "aes_backend.h"

#pragma GCC visibility push(hidden)

#if defined(TATU_INTERNAL_AES_FIXSLICED)

#define TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, key_bytes, substitute)          \
    tatu_internal_aes_fixsliced_expand_key((context)->round_keys, (key), (key_bytes))
#define TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, rounds, output, input, substitute)            \
    tatu_internal_aes_fixsliced_encrypt((context)->round_keys, (rounds), (output), (input), 1)
#define TATU_INTERNAL_AES_PLAIN_DECRYPT(context, rounds, output, input, inverse_substitute)    \
    tatu_internal_aes_fixsliced_decrypt((context)->round_keys, (rounds), (output), (input), 1)

#else

#define TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, key_bytes, substitute)                         \
    tatu_internal_aes_expand_key((uint8_t *)(context)->round_keys, (key), (key_bytes), (substitute))
#define TATU_INTERNAL_AES_PLAIN_ENCRYPT(context, rounds, output, input, substitute)                              \
    tatu_internal_aes_encrypt((const uint8_t *)(context)->round_keys, (rounds), (output), (input), (substitute))
#define TATU_INTERNAL_AES_PLAIN_DECRYPT(context, rounds, output, input, inverse_substitute) \
    tatu_internal_aes_decrypt((const uint8_t *)(context)->round_keys, (rounds), (output), (input), (inverse_substitute))

#endif

#pragma GCC visibility pop

#endif
