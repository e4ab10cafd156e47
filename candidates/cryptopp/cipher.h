/* What cipher.cpp offers to C. */
#ifndef BANCADA_CRYPTOPP_CIPHER_H
#define BANCADA_CRYPTOPP_CIPHER_H

#include <stddef.h>

#if defined(__cplusplus)
extern "C" {
#endif
void cryptopp_set_encrypt_key(void **context, const unsigned char *key, size_t key_bytes);
void cryptopp_set_decrypt_key(void **context, const unsigned char *key, size_t key_bytes);
void cryptopp_encrypt(const void *context, unsigned char *output, const unsigned char *input, size_t length);
void cryptopp_decrypt(const void *context, unsigned char *output, const unsigned char *input, size_t length);
#if defined(__cplusplus)
}
#endif

#endif
