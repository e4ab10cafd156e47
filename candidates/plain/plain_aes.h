/* AES as programs for teaching and for a quick comparison write it: byte by byte, as FIPS 197 describes it, with
 * nothing done for speed, size or secrecy. It is measured so that such programs can be told from algorithms; it is
 * no library to use. */
#ifndef PLAIN_AES_H
#define PLAIN_AES_H

#include <stdint.h>

#define PLAIN_AES_LARGEST_ROUNDS 14

struct plain_aes {
    int rounds;
    uint8_t round_keys[PLAIN_AES_LARGEST_ROUNDS + 1][16];
#if defined(PLAIN_AES_SBOX)
    uint8_t sbox[256];
    uint8_t inverse_sbox[256];
#endif
};

void plain_aes_set_key(struct plain_aes *aes, const uint8_t *key, int key_bytes);
void plain_aes_encrypt(const struct plain_aes *aes, uint8_t output[16], const uint8_t input[16]);
void plain_aes_decrypt(const struct plain_aes *aes, uint8_t output[16], const uint8_t input[16]);

#endif
