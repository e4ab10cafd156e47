/* Mbed TLS, ECDSA on the curve MBEDTLS_CURVE: r and s are its big numbers, written as bytes. */
#include <mbedtls/ecdsa.h>

typedef mbedtls_ecp_keypair bancada_sign_context;
typedef mbedtls_ecp_keypair bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    mbedtls_ecp_keypair_free(context);
    mbedtls_ecp_keypair_init(context);
    return mbedtls_ecp_read_key(MBEDTLS_CURVE, context, key, SIGNATURE_FIELD_BYTES);
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    mbedtls_mpi r, s;
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    int status =
        mbedtls_ecdsa_sign(&context->grp, &r, &s, &context->d, digest, BANCADA_DIGEST_BYTES, bancada_entropy, NULL);
    status |= mbedtls_mpi_write_binary(&r, signature, SIGNATURE_FIELD_BYTES);
    status |= mbedtls_mpi_write_binary(&s, signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
    mbedtls_mpi_free(&r);
    mbedtls_mpi_free(&s);
    return status;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    uint8_t point[1 + SIGNATURE_PUBLIC_KEY_BYTES] = {4}; /* uncompressed: SEC 1, section 2.3.3 */
    memcpy(point + 1, key, SIGNATURE_PUBLIC_KEY_BYTES);
    mbedtls_ecp_keypair_free(context);
    mbedtls_ecp_keypair_init(context);
    int status = mbedtls_ecp_group_load(&context->grp, MBEDTLS_CURVE);
    return status != 0 ? status : mbedtls_ecp_point_read_binary(&context->grp, &context->Q, point, sizeof point);
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    mbedtls_mpi r, s;
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    int status = mbedtls_mpi_read_binary(&r, signature, SIGNATURE_FIELD_BYTES);
    status |= mbedtls_mpi_read_binary(&s, signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
    status |= mbedtls_ecdsa_verify(&context->grp, digest, BANCADA_DIGEST_BYTES, &context->Q, &r, &s);
    mbedtls_mpi_free(&r);
    mbedtls_mpi_free(&s);
    return status;
}
