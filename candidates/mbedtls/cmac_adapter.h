/* Mbed TLS, AES-CMAC: the key schedule is on the heap, behind the context, so the last one is freed before the next
 * is set; a context of zeros is an initialised one. */
#include "mbedtls/cmac.h"

typedef mbedtls_cipher_context_t bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    mbedtls_cipher_free(context);
    mbedtls_cipher_setup(context,
                         mbedtls_cipher_info_from_values(MBEDTLS_CIPHER_ID_AES, BANCADA_KEY_BITS, MBEDTLS_MODE_ECB));
    mbedtls_cipher_cmac_starts(context, key, BANCADA_KEY_BITS);
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    mbedtls_cipher_cmac_reset(context);
    mbedtls_cipher_cmac_update(context, message, length);
    mbedtls_cipher_cmac_finish(context, digest);
}
