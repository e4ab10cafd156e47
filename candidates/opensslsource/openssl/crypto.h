/* The portable AES includes this header and uses nothing of it. */
#ifndef BANCADA_OPENSSL_CRYPTO_H
#define BANCADA_OPENSSL_CRYPTO_H
#endif
