/* Tatu: Ed25519, signatures on Edwards25519 (RFC 8032, section 5.1).
 *
 * Who has a secret key, 32 random bytes, signs messages. Who has its public key, 32 bytes, can tell that the signature,
 * 64 bytes, is of that key and of that message, and can sign nothing.
 *
 * Safe use, in short:
 *   - **Know whose public key it is.** Store it in the device when you make it, or have it signed by a key that is.
 *   - Make secret keys with a generator of random bytes (tatu/drbg.h), once. A signature needs no random bytes: its
 *     nonce is made of the key and the message.
 *   - A signature does not say when it was made. Put a counter or the time into the message, and refuse old ones.
 *   - Sign what cannot be mistaken for another kind of message: begin it with what it is for.
 *   - Check what tatu_ed25519_verify returns, before you use the message.
 *   - The public key is kept with the secret one in struct tatu_ed25519_key. No function takes it beside the secret
 *     key: who signs one message with two public keys gives the secret key away.
 *   - On a device that someone can disturb (with glitches of its voltage, for example), verify your own signature
 *     before you send it: two signatures of the same message of which one is wrong give the secret key away.
 *
 *     struct tatu_ed25519_key key;
 *     tatu_ed25519_set_key(&key, secret_key);                              // key.public_key is what others need
 *     tatu_ed25519_sign(&key, signature, message, length);
 *
 *     if (tatu_ed25519_verify(public_key, signature, message, length) != TATU_OK) { ... refuse ... }
 *
 * For every function below:
 *   - `message` may be NULL if its length is 0. No buffer needs alignment, and the signature may not overlap the
 *     message.
 *   - setting a key and signing: the time depends on the length only. No branch depends on a secret, and no address
 *     on a device with a cache. Verification has no secret: its time depends on the signature, the key and the message.
 *   - there is no heap and no global state. Temporaries that held secrets are wiped.
 *
 * MIT licence. */
#ifndef TATU_ED25519_H
#define TATU_ED25519_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_ED25519_KEY_BYTES 32
#define TATU_ED25519_SIGNATURE_BYTES 64

/* A key to sign with, 96 bytes. `public_key` may be read; wipe the whole with tatu_wipe (tatu/wipe.h). */
struct tatu_ed25519_key {
    uint8_t public_key[TATU_ED25519_KEY_BYTES];
    uint8_t scalar[32];
    uint8_t prefix[32];
};

/* Makes the public key and what signing needs of a secret key (section 5.1.5). Cannot fail. */
void tatu_ed25519_set_key(struct tatu_ed25519_key *key, const uint8_t secret_key[32]);

/* Signs `length` bytes (section 5.1.6). Cannot fail. The same message has the same signature. */
void tatu_ed25519_sign(const struct tatu_ed25519_key *key, uint8_t signature[64], const uint8_t *message,
                       size_t length);

/* Verifies a signature (section 5.1.7) by the equation without the cofactor. It accepts one encoding of each point and
 * of each number: a public key whose y is not below p, a signature whose S is not below L or whose R is written in
 * another way is refused. Returns TATU_OK; TATU_ERR_KEY if the public key is no point; else
 * TATU_ERR_AUTHENTICATION. */
TATU_MUST_CHECK int tatu_ed25519_verify(const uint8_t public_key[32], const uint8_t signature[64],
                                        const uint8_t *message, size_t length);

#ifdef __cplusplus
}
#endif

#endif
