/* Tatu: X25519, the key exchange on Curve25519 (RFC 7748).
 *
 * Two devices that never met make a secret that nobody who listens can compute. Each keeps a secret key, 32 random
 * bytes, and sends its public key, 32 bytes.
 *
 * Safe use, in short:
 *   - **Know whose public key it is.** X25519 does not say who sent it: an attacker between the two can exchange a
 *     secret with each of them. Store the other end's public key in the device, or have it signed, or compare a
 *     fingerprint.
 *   - Make secret keys with a generator of random bytes (tatu/drbg.h), never from a serial number or an analogue pin.
 *     Any 32 bytes are a secret key: bits that must have a value (RFC 7748, section 5) are given it inside.
 *   - Check what tatu_x25519 returns. It refuses a public key that makes the secret all zeros, whatever the secret key
 *     (section 6.1). Such a key is an attack or a mistake.
 *   - **Do not encrypt with the shared secret itself.** It is a coordinate, and not all of its bits are equally random.
 *     Derive keys from it, with both public keys beside it (tatu/hkdf_sha256.h), as below.
 *   - For forward secrecy make a new secret key for every connection, and wipe it and the shared secret
 *     (tatu/wipe.h) as soon as the keys are derived.
 *
 *     if (tatu_drbg_generate(&drbg, secret_key, 32) != TATU_OK) { ... }
 *     tatu_x25519_public_key(public_keys, secret_key);                    // send these 32 bytes
 *     ... receive the other end's into public_keys + 32 ...
 *     if (tatu_x25519(shared, secret_key, public_keys + 32) != TATU_OK) { ... refuse ... }
 *     if (tatu_hkdf_sha256(key, 16, NULL, 0, shared, 32, public_keys, 64) != TATU_OK) { ... }
 *
 * (Both ends must put the two public keys in the same order: for example, first that of the device that called.)
 *
 * For every function below:
 *   - the time does not depend on the secret key or the public key: no branch, and no address on a device with a
 *     cache.
 *   - there is no heap and no global state. Temporaries are wiped. On an ATmega328P a shared secret needs 413
 *     bytes of stack, a public key 447.
 *   - buffers need no alignment, and the result may be one of the arguments.
 *
 * MIT licence. */
#ifndef TATU_X25519_H
#define TATU_X25519_H

#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_X25519_KEY_BYTES 32
#define TATU_X25519_SECRET_BYTES 32

/* The public key of a secret key (section 6.1): X25519 of the secret key and the base point. Cannot fail. */
void tatu_x25519_public_key(uint8_t public_key[32], const uint8_t secret_key[32]);

/* The secret that is shared with the owner of the public key. Takes every 32 bytes: bit 255 is ignored, and numbers
 * that are not reduced are (section 5). Returns TATU_OK, or TATU_ERR_KEY if the secret is all zeros, which the output
 * then is. */
TATU_MUST_CHECK int tatu_x25519(uint8_t shared_secret[32], const uint8_t secret_key[32],
                                const uint8_t peer_public_key[32]);

#ifdef __cplusplus
}
#endif

#endif
