#include <tatu/ed25519.h>

#include <string.h>

#include <tatu/sha512.h>
#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "ed25519_scalar.h"
#include "ed25519_state.h"

/* The encoding of the scalar times the base point. */
static TATU_INTERNAL_ED25519_ALONE void encoded_multiple(uint8_t result[32], const uint8_t scalar[32])
{
    struct tatu_internal_ed25519_state state;

    tatu_internal_ed25519_multiply_base(&state, scalar);
    tatu_internal_ed25519_encode(result, &state);
    tatu_wipe(&state, sizeof state);
}

/* Wipes what the compiler's frames may have left of secrets below the functions above. */
#if defined(__AVR__)
/* No deeper than what has been used (tatu_internal_wipe_stack does nothing on AVR); and the registers that a function
 * may change. */
static TATU_INTERNAL_ED25519_ALONE void wipe_frames(void)
{
    uint8_t frames[480];

    tatu_wipe(frames, sizeof frames);
    __asm__ volatile("clr r18\n\tclr r19\n\tclr r20\n\tclr r21" ::: "r18", "r19", "r20", "r21");
}
#else
static inline void wipe_frames(void)
{
    tatu_internal_wipe_stack(768);
}
#endif

void tatu_ed25519_set_key(struct tatu_ed25519_key *key, const uint8_t secret_key[32])
{
    uint8_t digest[TATU_SHA512_DIGEST_BYTES];

    tatu_sha512(digest, secret_key, TATU_ED25519_KEY_BYTES);
    memcpy(key->scalar, digest, sizeof key->scalar);
    memcpy(key->prefix, digest + 32, sizeof key->prefix);
    tatu_wipe(digest, sizeof digest);
    key->scalar[0] &= 248;
    key->scalar[31] = (uint8_t)((key->scalar[31] & 127) | 64);
    encoded_multiple(key->public_key, key->scalar);
    wipe_frames();
}

void tatu_ed25519_sign(const struct tatu_ed25519_key *key, uint8_t signature[64], const uint8_t *message, size_t length)
{
    uint8_t nonce[32], challenge[32];

    tatu_internal_ed25519_hash(nonce, key->prefix, NULL, message, length);
    encoded_multiple(signature, nonce);
    tatu_internal_ed25519_hash(challenge, signature, key->public_key, message, length);
    tatu_internal_ed25519_multiply_add(signature + 32, challenge, key->scalar, nonce);
    tatu_wipe(nonce, sizeof nonce);
    tatu_wipe(challenge, sizeof challenge);
    wipe_frames();
}
