/* Nonces of deterministic ECDSA (RFC 6979, section 3.2) with HMAC-SHA-256. A signature hashes two dozen blocks. On AVR
 * its time is elsewhere, and the small variant of the hash serves. */
#include <string.h>

#include <tatu/sha256.h>
#include <tatu/wipe.h>

#include "p256_internal.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)
#define sha256 tatu_sha256_small
#define sha256_init tatu_sha256_small_init
#define sha256_update tatu_sha256_small_update
#define sha256_final tatu_sha256_small_final
#else
#define sha256 tatu_sha256
#define sha256_init tatu_sha256_init
#define sha256_update tatu_sha256_update
#define sha256_final tatu_sha256_final
#endif

/* RFC 2104, section 2 */
#define INNER_PAD 0x36
#define OUTER_PAD 0x5c

static void begin(struct sha256 *hash, const uint8_t key[32], uint8_t pad)
{
    uint8_t block[TATU_SHA256_BLOCK_BYTES];

    memset(block, pad, sizeof block);
    for (uint8_t i = 0; i < 32; i++) {
        block[i] ^= key[i];
    }
    sha256_init(hash);
    sha256_update(hash, block, sizeof block);
    tatu_wipe(block, sizeof block);
}

static void finish(struct sha256 *hash, const uint8_t key[32], uint8_t tag[32])
{
    uint8_t inner[TATU_SHA256_DIGEST_BYTES];

    sha256_final(hash, inner);
    begin(hash, key, OUTER_PAD);
    sha256_update(hash, inner, sizeof inner);
    sha256_final(hash, tag);
    tatu_wipe(inner, sizeof inner);
}

/* V = HMAC_K(V) */
static TATU_INTERNAL_P256_ALONE void update_v(struct tatu_internal_p256_nonces *this)
{
    struct sha256 hash;

    begin(&hash, this->k, INNER_PAD);
    sha256_update(&hash, this->v, sizeof this->v);
    finish(&hash, this->k, this->v);
}

/* K = HMAC_K(V || separator || the secret key and the digest, if there are), V = HMAC_K(V) */
static TATU_INTERNAL_P256_ALONE void update(struct tatu_internal_p256_nonces *this, uint8_t separator,
                                            const uint8_t *secret_key, const uint8_t *reduced)
{
    struct sha256 hash;

    begin(&hash, this->k, INNER_PAD);
    sha256_update(&hash, this->v, sizeof this->v);
    sha256_update(&hash, &separator, 1);
    if (secret_key != NULL) {
        sha256_update(&hash, secret_key, 32);
        sha256_update(&hash, reduced, 32);
    }
    finish(&hash, this->k, this->k);
    update_v(this);
}

void tatu_internal_p256_start_nonces(struct tatu_internal_p256_nonces *nonces, const uint8_t secret_key[32],
                                     const uint8_t reduced[32])
{
    memset(nonces->k, 0, sizeof nonces->k);
    memset(nonces->v, 1, sizeof nonces->v);
    nonces->was_taken = 0;
    update(nonces, 0, secret_key, reduced);
    update(nonces, 1, secret_key, reduced);
}

void tatu_internal_p256_next_nonce(tatu_internal_p256_number nonce, struct tatu_internal_p256_nonces *nonces)
{
    do {
        if (nonces->was_taken) {
            update(nonces, 0, NULL, NULL);
        }
        nonces->was_taken = 1;
        update_v(nonces);
    } while (!tatu_internal_p256_load_scalar(nonce, nonces->v));
}
