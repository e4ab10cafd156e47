/* What aead.cpp offers to C. */
#ifndef BANCADA_CRYPTOPP_AEAD_H
#define BANCADA_CRYPTOPP_AEAD_H

#include <stddef.h>

struct cryptopp_aead {
    void *encryption;
    void *decryption;
};

#if defined(__cplusplus)
extern "C" {
#endif
void cryptopp_aead_set_key(struct cryptopp_aead *context, const unsigned char *key, size_t key_bytes,
                           const unsigned char *nonce, size_t nonce_bytes);
void cryptopp_aead_encrypt(struct cryptopp_aead *context, unsigned char *output, const unsigned char *input,
                           size_t length, const unsigned char *associated, size_t associated_length,
                           const unsigned char *nonce, int nonce_bytes, unsigned char *tag, size_t tag_bytes);
int cryptopp_aead_decrypt(struct cryptopp_aead *context, unsigned char *output, const unsigned char *input,
                          size_t length, const unsigned char *associated, size_t associated_length,
                          const unsigned char *nonce, int nonce_bytes, const unsigned char *tag, size_t tag_bytes);
#if defined(__cplusplus)
}
#endif

#endif
