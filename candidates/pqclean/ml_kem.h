/* PQClean's ML-KEM. PQCLEAN(name) is one of its functions. Its random bytes come from the host, in the order in which
 * the standard takes them: d, z, m. */
#include "api.h"

int PQCLEAN_randombytes(uint8_t *output, size_t length);
int PQCLEAN_randombytes(uint8_t *output, size_t length)
{
    return bancada_entropy(NULL, output, length);
}

static inline int bancada_make_key(uint8_t *encapsulation_key, uint8_t *decapsulation_key)
{
    return PQCLEAN(crypto_kem_keypair)(encapsulation_key, decapsulation_key);
}

static inline int bancada_encapsulate(uint8_t *shared_secret, uint8_t *ciphertext, const uint8_t *encapsulation_key)
{
    /* the check of FIPS 203, section 7.2, which the library leaves to its caller */
    for (size_t i = 0; i < 384 * KEM_RANK; i += 3) {
        const unsigned int middle = encapsulation_key[i + 1];
        if ((encapsulation_key[i] | (middle & 15) << 8) >= 3329 ||
            (middle >> 4 | (unsigned int)encapsulation_key[i + 2] << 4) >= 3329) {
            return -1;
        }
    }
    return PQCLEAN(crypto_kem_enc)(ciphertext, shared_secret, encapsulation_key);
}

static inline int bancada_decapsulate(uint8_t *shared_secret, const uint8_t *ciphertext,
                                      const uint8_t *decapsulation_key)
{
    return PQCLEAN(crypto_kem_dec)(shared_secret, ciphertext, decapsulation_key);
}
