/* Faults that the fuzz targets must find. The linker puts one in front of a function (--wrap), which works as before except for
 * the fault. */
#include <string.h>

#include <tatu/ascon.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/sha3.h>
#include <tatu/speck.h>

#if defined(FAULT_hashes)
/* A byte of a long piece is left out. */
void __real_tatu_sha3_512_update(struct tatu_sha3_512 *hash, const uint8_t *input, size_t length);
void __wrap_tatu_sha3_512_update(struct tatu_sha3_512 *hash, const uint8_t *input, size_t length);

void __wrap_tatu_sha3_512_update(struct tatu_sha3_512 *hash, const uint8_t *input, size_t length)
{
    __real_tatu_sha3_512_update(hash, input, length > 72 ? length - 1 : length);
}
#endif

#if defined(FAULT_aeads)
/* A refused message is not zeroed to its end. */
int __real_tatu_ascon_aead128_decrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                                      const uint8_t *associated_data, size_t associated_data_length,
                                      const uint8_t *nonce, const uint8_t *tag, size_t tag_length);
int __wrap_tatu_ascon_aead128_decrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                                      const uint8_t *associated_data, size_t associated_data_length,
                                      const uint8_t *nonce, const uint8_t *tag, size_t tag_length);

int __wrap_tatu_ascon_aead128_decrypt(const uint8_t *key, uint8_t *output, const uint8_t *input, size_t length,
                                      const uint8_t *associated_data, size_t associated_data_length,
                                      const uint8_t *nonce, const uint8_t *tag, size_t tag_length)
{
    const int result = __real_tatu_ascon_aead128_decrypt(key, output, input, length, associated_data,
                                                         associated_data_length, nonce, tag, tag_length);
    if (result != TATU_OK && length > 32) {
        output[length - 1] = 1;
    }
    return result;
}
#endif

#if defined(FAULT_cmac)
/* Of a long tag only the beginning is looked at. */
int __real_tatu_cmac_verify(const struct tatu_cmac_key *key, const uint8_t *tag, size_t tag_length,
                            const uint8_t *input, size_t length);
int __wrap_tatu_cmac_verify(const struct tatu_cmac_key *key, const uint8_t *tag, size_t tag_length,
                            const uint8_t *input, size_t length);

int __wrap_tatu_cmac_verify(const struct tatu_cmac_key *key, const uint8_t *tag, size_t tag_length,
                            const uint8_t *input, size_t length)
{
    return __real_tatu_cmac_verify(key, tag, tag_length > 8 ? 8 : tag_length, input, length);
}
#endif

#if defined(FAULT_modes)
/* A byte behind the message is read. */
int __real_tatu_ctr_encrypt(struct tatu_ctr *context, uint8_t *output, const uint8_t *input, size_t length);
int __wrap_tatu_ctr_encrypt(struct tatu_ctr *context, uint8_t *output, const uint8_t *input, size_t length);

int __wrap_tatu_ctr_encrypt(struct tatu_ctr *context, uint8_t *output, const uint8_t *input, size_t length)
{
    const int result = __real_tatu_ctr_encrypt(context, output, input, length);
    const volatile uint8_t *const behind = input + length;

    return length % 16 == 5 && *behind == 0xa5 ? TATU_ERR_LENGTH : result;
}
#endif

#if defined(FAULT_ciphers)
/* A key whose first byte is even is taken for another. */
void __real_tatu_speck128_192_tiny_set_key(struct tatu_speck128_192_tiny *context, const uint8_t *key);
void __wrap_tatu_speck128_192_tiny_set_key(struct tatu_speck128_192_tiny *context, const uint8_t *key);

void __wrap_tatu_speck128_192_tiny_set_key(struct tatu_speck128_192_tiny *context, const uint8_t *key)
{
    __real_tatu_speck128_192_tiny_set_key(context, key);
    context->key[0] |= 1;
}
#endif
