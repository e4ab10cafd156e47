/* OpenSSL draws on bancada_entropy instead of its own generator, by its RAND_METHOD. */
#include <openssl/rand.h>

static inline int openssl_random(unsigned char *output, int length)
{
    return bancada_entropy(NULL, output, (size_t)length) == 0;
}

static inline int openssl_random_is_seeded(void)
{
    return 1;
}

static RAND_METHOD openssl_random_method = {NULL, openssl_random, NULL, NULL, openssl_random, openssl_random_is_seeded};
