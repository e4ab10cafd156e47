/* What encryption and decryption of ChaCha20-Poly1305 share (RFC 8439, section 2.8). */
#ifndef TATU_CHACHA20_POLY1305_INTERNAL_H
#define TATU_CHACHA20_POLY1305_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/chacha20_poly1305.h>

#pragma GCC visibility push(hidden)

/* 1 if the block counter, which begins at 1, lasts for a message of `length` bytes. */
static inline int tatu_internal_chacha20_poly1305_length_is_valid(uint64_t length)
{
    return length <= (uint64_t)UINT32_MAX * TATU_CHACHA20_BLOCK_BYTES;
}

/* Sets the cipher up for block 1 and the authenticator with its one-time key, block 0 (section 2.6), and with the
 * associated data, padded. `key_stream` is scratch. */
void tatu_internal_chacha20_poly1305_start(struct tatu_internal_poly1305 *poly1305, uint8_t initial_state[64],
                                           uint8_t key_stream[64], const uint8_t key[32],
                                           const uint8_t *associated_data, size_t associated_data_length,
                                           const uint8_t nonce[12]);

/* The end of the ciphertext: padding, lengths, tag. Wipes `poly1305`. */
void tatu_internal_chacha20_poly1305_finish(struct tatu_internal_poly1305 *poly1305, uint64_t associated_data_length,
                                            uint64_t length, uint8_t tag[16]);

#pragma GCC visibility pop

#endif
