/* Nettle's signatures: its random bytes, and numbers of GMP from and to bytes (big endian, most significant word
 * first). */
#include <gmp.h>

static void nettle_random(void *state, size_t length, uint8_t *output)
{
    bancada_entropy(state, output, length);
}

static inline void nettle_read(mpz_t number, const uint8_t *bytes, size_t length)
{
    mpz_import(number, length, 1, 1, 1, 0, bytes);
}

static inline void nettle_write(uint8_t *bytes, size_t length, const mpz_t number)
{
    memset(bytes, 0, length);
    mpz_export(bytes + length - (mpz_sizeinbase(number, 2) + 7) / 8, NULL, 1, 1, 1, 0, number);
}
