/* Hashes, functions with an output of any length, and the derivation of keys. */
#include <tatu/ascon.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/sha512.h>

#include "transcript.h"

static uint8_t message[LONGEST_HASHED], output[LONGEST];

#define RUN_HASH(name, digest_bytes)                                                          \
    do {                                                                                      \
        struct name hash;                                                                     \
        begin_line(#name);                                                                    \
        for (uint8_t length = 0; length <= LONGEST_HASHED; length = (uint8_t)(length + 25)) { \
            fill(message, length);                                                            \
            name(output, message, length);                                                    \
            fold(output, digest_bytes);                                                       \
            name##_init(&hash);                                                               \
            name##_update(&hash, message, length / 3u);                                       \
            name##_update(&hash, message + length / 3, length - length / 3u);                 \
            name##_final(&hash, output);                                                      \
            fold(output, digest_bytes);                                                       \
        }                                                                                     \
        end_line();                                                                           \
    } while (0)

#define RUN_SHAKE(name)                                 \
    do {                                                \
        struct name xof;                                \
        begin_line(#name);                              \
        fill(message, LONGEST_HASHED);                  \
        name(output, LONGEST, message, LONGEST_HASHED); \
        fold(output, LONGEST);                          \
        name##_init(&xof);                              \
        name##_update(&xof, message, LONGEST_HASHED);   \
        for (uint8_t i = 0; i < 5; i++) {               \
            name##_squeeze(&xof, output, LONGEST - 7);  \
            fold(output, LONGEST - 7);                  \
        }                                               \
        end_line();                                     \
    } while (0)

void transcript_hashes(void)
{
    RUN_HASH(tatu_ascon_hash256, 32);
    RUN_HASH(tatu_sha256, 32);
    RUN_HASH(tatu_sha512, 64);
    RUN_HASH(tatu_sha3_256, 32);
    RUN_HASH(tatu_sha3_512, 64);
    RUN_SHAKE(tatu_shake128);
    RUN_SHAKE(tatu_shake256);
    begin_line("ascon-xof128");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 13)) {
        fill(message, length);
        tatu_ascon_xof128(output, LONGEST - length, message, length);
        fold(output, (size_t)(LONGEST - length));
    }
    end_line();
    begin_line("hkdf-sha256");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 11)) {
        fill(message, LONGEST_HASHED);
        fold_result(tatu_hkdf_sha256(output, length, message, length, message, 32, message + 32, length));
        fold(output, length);
    }
    end_line();
}
