/* Tatu, encapsulation of ML-KEM with neither key nor ciphertext in memory. */
#include "paste.h"
#include <tatu/ml_kem.h>

#define BANCADA_IN_PIECES 1

static inline int bancada_encapsulate_in_pieces(uint8_t *shared_secret)
{
    return TATU(_encapsulate_in_pieces)(shared_secret, bancada_write_ciphertext, NULL, bancada_read_key, NULL,
                                        bancada_entropy, NULL);
}
