/* Mbed TLS, X25519: numbers of its own, little-endian outside. */
#include <mbedtls/ecdh.h>

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    mbedtls_ecp_keypair pair;
    mbedtls_ecp_keypair_init(&pair);
    int failed = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_CURVE25519, &pair, secret_key, KEY_EXCHANGE_BYTES) != 0 ||
                 mbedtls_ecp_mul(&pair.grp, &pair.Q, &pair.d, &pair.grp.G, bancada_entropy, NULL) != 0 ||
                 mbedtls_mpi_write_binary_le(&pair.Q.X, public_key, KEY_EXCHANGE_BYTES) != 0;
    mbedtls_ecp_keypair_free(&pair);
    return failed;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    mbedtls_ecp_keypair pair;
    mbedtls_mpi secret;
    mbedtls_ecp_keypair_init(&pair);
    mbedtls_mpi_init(&secret);
    int failed = mbedtls_ecp_read_key(MBEDTLS_ECP_DP_CURVE25519, &pair, secret_key, KEY_EXCHANGE_BYTES) != 0 ||
                 mbedtls_ecp_point_read_binary(&pair.grp, &pair.Q, peer_key, KEY_EXCHANGE_BYTES) != 0 ||
                 mbedtls_ecdh_compute_shared(&pair.grp, &secret, &pair.Q, &pair.d, bancada_entropy, NULL) != 0 ||
                 mbedtls_mpi_write_binary_le(&secret, shared_secret, KEY_EXCHANGE_BYTES) != 0;
    mbedtls_mpi_free(&secret);
    mbedtls_ecp_keypair_free(&pair);
    return failed;
}
