/* Nonces of deterministic ECDSA (RFC 6979, section 3.2) with HMAC-SHA-256. The small variant of the hash serves: a
 * signature hashes two dozen blocks, and its time is elsewhere. */
#include <string.h>

#include <tatu/sha256.h>
#include <tatu/wipe.h>

#include "p256_internal.h"

/* RFC 2104, section 2 */
#define INNER_PAD 0x36
#define OUTER_PAD 0x5c

static void begin(struct tatu_sha256_small *hash, const uint8_t key[32], uint8_t pad)
{
    uint8_t block[TATU_SHA256_BLOCK_BYTES];

    memset(block, pad, sizeof block);
    for (uint8_t i = 0; i < 32; i++) {
        block[i] ^= key[i];
    }
    tatu_sha256_small_init(hash);
    tatu_sha256_small_update(hash, block, sizeof block);
    tatu_wipe(block, sizeof block);
}

static void finish(struct tatu_sha256_small *hash, const uint8_t key[32], uint8_t tag[32])
{
    uint8_t inner[TATU_SHA256_DIGEST_BYTES];

    tatu_sha256_small_final(hash, inner);
    begin(hash, key, OUTER_PAD);
    tatu_sha256_small_update(hash, inner, sizeof inner);
    tatu_sha256_small_final(hash, tag);
    tatu_wipe(inner, sizeof inner);
}

/* V = HMAC_K(V) */
static TATU_INTERNAL_P256_ALONE void update_v(struct tatu_internal_p256_nonces *this)
{
    struct tatu_sha256_small hash;

    begin(&hash, this->k, INNER_PAD);
    tatu_sha256_small_update(&hash, this->v, sizeof this->v);
    finish(&hash, this->k, this->v);
}

/* K = HMAC_K(V || separator || the secret key and the digest, if there are), V = HMAC_K(V) */
static TATU_INTERNAL_P256_ALONE void update(struct tatu_internal_p256_nonces *this, uint8_t separator,
                                            const uint8_t *secret_key, const uint8_t *reduced)
{
    struct tatu_sha256_small hash;

    begin(&hash, this->k, INNER_PAD);
    tatu_sha256_small_update(&hash, this->v, sizeof this->v);
    tatu_sha256_small_update(&hash, &separator, 1);
    if (secret_key != NULL) {
        tatu_sha256_small_update(&hash, secret_key, 32);
        tatu_sha256_small_update(&hash, reduced, 32);
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
