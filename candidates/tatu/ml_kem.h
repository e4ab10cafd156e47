/* Tatu, ML-KEM: TATU_NAME is tatu_ml_kem_512 or tatu_ml_kem_768. */
#include "paste.h"
#include <tatu/ml_kem.h>

static inline int bancada_make_key(uint8_t *encapsulation_key, uint8_t *decapsulation_key)
{
    return TATU(_generate)(encapsulation_key, decapsulation_key, bancada_entropy, NULL);
}

static inline int bancada_encapsulate(uint8_t *shared_secret, uint8_t *ciphertext, const uint8_t *encapsulation_key)
{
    return TATU(_encapsulate)(shared_secret, ciphertext, encapsulation_key, bancada_entropy, NULL);
}

static inline int bancada_decapsulate(uint8_t *shared_secret, const uint8_t *ciphertext,
                                      const uint8_t *decapsulation_key)
{
    TATU(_decapsulate)(shared_secret, ciphertext, decapsulation_key);
    return 0;
}
