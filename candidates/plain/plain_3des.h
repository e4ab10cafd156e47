/* 3DES as its standard writes it (FIPS 46-3; NIST SP 800-67): a permutation is a loop over its table, bit by bit. It is
 * measured beside the plain AES and RC6; it is not a library to use, and 3DES is withdrawn. */
#ifndef PLAIN_3DES_H
#define PLAIN_3DES_H

#include <stdint.h>

#define PLAIN_3DES_ROUNDS 16

struct plain_3des {
    uint64_t round_keys[3][PLAIN_3DES_ROUNDS]; /* of 48 bits */
};

void plain_3des_set_key(struct plain_3des *des, const uint8_t *key, int key_bytes);
void plain_3des_encrypt(const struct plain_3des *des, uint8_t output[8], const uint8_t input[8]);
void plain_3des_decrypt(const struct plain_3des *des, uint8_t output[8], const uint8_t input[8]);

#endif
