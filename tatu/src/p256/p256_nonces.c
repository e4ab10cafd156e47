/* Nonces of deterministic ECDSA (RFC 6979, section 3.2) with HMAC-SHA-256. */
#include <string.h>

#include <tatu/sha256.h>
#include <tatu/wipe.h>

#include "p256_internal.h"

#define HASH TATU_INTERNAL_P256_HASH
typedef struct HASH() hash_state;

/* RFC 2104, section 2 */
#define INNER_PAD 0x36
#define OUTER_PAD 0x5c

static void hash_pad(hash_state *hash, const uint8_t key[32], uint8_t pad)
{
    uint8_t block[TATU_SHA256_BLOCK_BYTES];

    memset(block, pad, sizeof block);
    for (uint8_t i = 0; i < 32; i++) {
        block[i] ^= key[i];
    }
    HASH(_init)(hash);
    HASH(_update)(hash, block, sizeof block);
    tatu_wipe(block, sizeof block);
}

static void set_key(struct tatu_internal_p256_nonces *this, const uint8_t key[32])
{
#if defined(TATU_INTERNAL_P256_IN_AVR)
    memmove(this->k, key, sizeof this->k);
#else
    hash_pad(&this->inner, key, INNER_PAD);
    hash_pad(&this->outer, key, OUTER_PAD);
#endif
}

static void begin(hash_state *hash, const struct tatu_internal_p256_nonces *this)
{
#if defined(TATU_INTERNAL_P256_IN_AVR)
    hash_pad(hash, this->k, INNER_PAD);
#else
    *hash = this->inner;
#endif
}

static void finish(hash_state *hash, const struct tatu_internal_p256_nonces *this, uint8_t tag[32])
{
    uint8_t inner[TATU_SHA256_DIGEST_BYTES];

    HASH(_final)(hash, inner);
#if defined(TATU_INTERNAL_P256_IN_AVR)
    hash_pad(hash, this->k, OUTER_PAD);
#else
    *hash = this->outer;
#endif
    HASH(_update)(hash, inner, sizeof inner);
    HASH(_final)(hash, tag);
    tatu_wipe(inner, sizeof inner);
}

/* V = HMAC_K(V) */
static TATU_INTERNAL_P256_ALONE void update_v(struct tatu_internal_p256_nonces *this)
{
    hash_state hash;

    begin(&hash, this);
    HASH(_update)(&hash, this->v, sizeof this->v);
    finish(&hash, this, this->v);
}

/* K = HMAC_K(V || separator || the secret key and the digest, if there are), V = HMAC_K(V) */
static TATU_INTERNAL_P256_ALONE void update(struct tatu_internal_p256_nonces *this, uint8_t separator,
                                            const uint8_t *secret_key, const uint8_t *reduced)
{
    hash_state hash;
    uint8_t key[32];

    begin(&hash, this);
    HASH(_update)(&hash, this->v, sizeof this->v);
    HASH(_update)(&hash, &separator, 1);
    if (secret_key != NULL) {
        HASH(_update)(&hash, secret_key, 32);
        HASH(_update)(&hash, reduced, 32);
    }
    finish(&hash, this, key);
    set_key(this, key);
    tatu_wipe(key, sizeof key);
    update_v(this);
}

void tatu_internal_p256_start_nonces(struct tatu_internal_p256_nonces *nonces, const uint8_t secret_key[32],
                                     const uint8_t reduced[32])
{
    memset(nonces->v, 0, sizeof nonces->v);
    set_key(nonces, nonces->v);
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
