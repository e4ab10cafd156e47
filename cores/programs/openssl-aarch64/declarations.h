/* OpenSSL's assembly for AArch64, as its C sources call it. */
#ifndef DECLARATIONS_H
#define DECLARATIONS_H

void sha1_block_data_order(void *state, const void *data, size_t blocks);
void sha256_block_data_order(void *state, const void *data, size_t blocks);
void sha512_block_data_order(void *state, const void *data, size_t blocks);
size_t SHA3_absorb(void *state, const unsigned char *data, size_t bytes, size_t rate);
void ChaCha20_ctr32(unsigned char *out, const unsigned char *in, size_t bytes, const unsigned int *key,
                    const unsigned int *counter);
int poly1305_init(void *context, const unsigned char key[16], void *functions);
void poly1305_blocks(void *context, const unsigned char *in, size_t bytes, unsigned int padding);
int vpaes_set_encrypt_key(const unsigned char *key, int bits, void *schedule);
int vpaes_set_decrypt_key(const unsigned char *key, int bits, void *schedule);
void vpaes_cbc_encrypt(const unsigned char *in, unsigned char *out, size_t bytes, const void *schedule,
                       unsigned char *iv, int encrypt);
void vpaes_ecb_encrypt(const unsigned char *in, unsigned char *out, size_t bytes, const void *schedule);
void vpaes_ecb_decrypt(const unsigned char *in, unsigned char *out, size_t bytes, const void *schedule);
int aes_v8_set_encrypt_key(const unsigned char *key, int bits, void *schedule);
int aes_v8_set_decrypt_key(const unsigned char *key, int bits, void *schedule);
void aes_v8_cbc_encrypt(const unsigned char *in, unsigned char *out, size_t bytes, const void *schedule,
                        unsigned char *iv, int encrypt);
void aes_v8_ctr32_encrypt_blocks(const unsigned char *in, unsigned char *out, size_t blocks, const void *schedule,
                                 const unsigned char iv[16]);
void gcm_init_v8(void *table, const unsigned long long *key);
void gcm_ghash_v8(void *state, const void *table, const unsigned char *in, size_t bytes);

#endif
