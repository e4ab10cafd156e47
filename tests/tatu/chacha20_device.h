/* ChaCha20-Poly1305 for aead_device.c. */
#include <tatu/chacha20_poly1305.h>

#define KEY_BYTES 32
#define NONCE_BYTES 12
#define ENCRYPTION tatu_chacha20_poly1305_encryption
#define ENCRYPT(output, input, length)                                                                  \
    tatu_chacha20_poly1305_encrypt(key, output, input, length, associated_data, length / 2, nonce, tag)
#define DECRYPT(buffer, length, tag)                                                                     \
    tatu_chacha20_poly1305_decrypt(key, buffer, buffer, length, associated_data, length / 2, nonce, tag)
#define ENCRYPT_INIT tatu_chacha20_poly1305_encrypt_init
#define ENCRYPT_UPDATE(encryption, buffer, length)                                   \
    (void)!tatu_chacha20_poly1305_encrypt_update(encryption, buffer, buffer, length)
#define ENCRYPT_FINAL (void)!tatu_chacha20_poly1305_encrypt_final
