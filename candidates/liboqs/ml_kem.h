/* liboqs, ML-KEM: OQS(name) is one of its functions. Its random bytes come from the host, in the order in which the
 * standard takes them: d, z, m. */
#include <oqs/kem_ml_kem.h>

void OQS_randombytes(uint8_t *output, size_t length)
{
    (void)bancada_entropy(NULL, output, length);
}

static inline int bancada_make_key(uint8_t *encapsulation_key, uint8_t *decapsulation_key)
{
    return OQS(keypair)(encapsulation_key, decapsulation_key) != OQS_SUCCESS;
}

static inline int bancada_encapsulate(uint8_t *shared_secret, uint8_t *ciphertext, const uint8_t *encapsulation_key)
{
    return OQS(encaps)(ciphertext, shared_secret, encapsulation_key) != OQS_SUCCESS;
}

static inline int bancada_decapsulate(uint8_t *shared_secret, const uint8_t *ciphertext,
                                      const uint8_t *decapsulation_key)
{
    return OQS(decaps)(shared_secret, ciphertext, decapsulation_key) != OQS_SUCCESS;
}
