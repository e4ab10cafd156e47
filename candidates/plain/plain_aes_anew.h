/* AES in one function that keeps nothing: each call makes its tables again, expands the key and takes one block. Some
 * programs do so, whose caller hands over a key and a block. It is measured to tell what the tables cost; it is not a
 * library to use. */
#ifndef PLAIN_AES_ANEW_H
#define PLAIN_AES_ANEW_H

#include <stdint.h>

struct plain_aes_anew {
    uint8_t key[32];
    int key_bytes;
};

void plain_aes_anew_set_key(struct plain_aes_anew *aes, const uint8_t *key, int key_bytes);
void plain_aes_anew_encrypt(const struct plain_aes_anew *aes, uint8_t output[16], const uint8_t input[16]);
void plain_aes_anew_decrypt(const struct plain_aes_anew *aes, uint8_t output[16], const uint8_t input[16]);

#endif
