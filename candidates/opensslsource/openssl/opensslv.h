/* What OpenSSL's Configure writes: the version of the source. */
#ifndef BANCADA_OPENSSL_OPENSSLV_H
#define BANCADA_OPENSSL_OPENSSLV_H

#define OPENSSL_VERSION_MAJOR 4
#define OPENSSL_VERSION_MINOR 0
#define OPENSSL_VERSION_PATCH 3

#endif
