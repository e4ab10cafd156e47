/* Ascon-AEAD128 for aead_device.c. */
#include <tatu/ascon.h>

#define KEY_BYTES 16
#define NONCE_BYTES 16
#define ENCRYPTION tatu_ascon_aead128_encryption
#define ENCRYPT(output, input, length)                                                                          \
    tatu_ascon_aead128_encrypt(key, output, input, length, associated_data, length / 2, nonce, tag, sizeof tag)
#define DECRYPT(buffer, length, tag)                                                                     \
    tatu_ascon_aead128_decrypt(key, buffer, buffer, length, associated_data, length / 2, nonce, tag, 16)
#define ENCRYPT_INIT tatu_ascon_aead128_encrypt_init
#define ENCRYPT_UPDATE(encryption, buffer, length) tatu_ascon_aead128_encrypt_update(encryption, buffer, buffer, length)
#define ENCRYPT_FINAL(encryption, tag) (void)!tatu_ascon_aead128_encrypt_final(encryption, tag, 16)
