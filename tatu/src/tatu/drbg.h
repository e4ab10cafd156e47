/* Tatu: a deterministic random bit generator, CTR_DRBG of SP 800-90A Rev. 1 with AES-128 and no derivation function.
 *
 * An entropy source on a small device is slow: seconds for a key. So seed this generator once after each reset, and
 * draw keys, IVs and first counter blocks from it: a few blocks of AES each. tatu_drbg_generate has the shape of an
 * entropy function (tatu/entropy.h) and goes wherever one is asked for.
 *
 *   - The seed is all the security there is: 32 bytes from a source of full entropy, such as tatu_entropy_avr_read
 *     (tatu/entropy_avr.h) or the operating system. Without a derivation function, SP 800-90A asks for exactly that.
 *   - One generator for one device, in RAM. Never save it, copy it, or put a constant in it: two devices with one state
 *     make the same keys.
 *   - Who captures the state cannot go back to earlier output: the state is replaced after each request. Reseed to get
 *     out of the reach of someone who may have read it.
 *
 * Security strength: 128 bits. AES is the small variant: 16 bytes of key, round keys on the fly.
 *
 * MIT licence. */
#ifndef TATU_DRBG_H
#define TATU_DRBG_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/aes.h>
#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* SP 800-90A, table 3, CTR_DRBG with AES-128: seedlen, and the most bytes a request may ask for. */
#define TATU_DRBG_SEED_BYTES 32
#define TATU_DRBG_MAX_REQUEST_BYTES UINT32_C(65536)

/* Requests between seedings. The standard allows 2^48; this counter has 32 bits. */
#define TATU_DRBG_MAX_REQUESTS UINT32_C(0xffffffff)

/* The generator's state, secret. Its members are private: use the functions. Wipe it (tatu/wipe.h) when done. */
struct tatu_drbg {
    struct tatu_aes128_small key;
    uint8_t v[16];
    uint32_t requests_left; /* 0: not seeded, or exhausted */
};

/* Seeds a new generator with one call of entropy(entropy_state, ...) for TATU_DRBG_SEED_BYTES bytes
 * (CTR_DRBG_Instantiate, SP 800-90A, section 10.2.1.3.1, no personalization string).
 * Returns TATU_OK, or TATU_ERR_ENTROPY if the entropy function failed; then the generator refuses to work. */
TATU_MUST_CHECK int tatu_drbg_start(struct tatu_drbg *drbg, tatu_entropy_function *entropy, void *entropy_state);

/* Mixes fresh entropy into a seeded generator, as tatu_drbg_start does (CTR_DRBG_Reseed, section 10.2.1.4.1).
 * Returns TATU_OK, or TATU_ERR_ENTROPY if the entropy function failed; then the generator is as before. */
TATU_MUST_CHECK int tatu_drbg_reseed(struct tatu_drbg *drbg, tatu_entropy_function *entropy, void *entropy_state);

/* Writes `length` random bytes to `output` (CTR_DRBG_Generate, section 10.2.1.5.1, no additional input). `drbg` is a
 * `struct tatu_drbg *`: it is `void *` because this is a tatu_entropy_function.
 * Returns TATU_OK; TATU_ERR_EXHAUSTED if the generator was not seeded or needs reseeding; TATU_ERR_LENGTH if `length`
 * is over TATU_DRBG_MAX_REQUEST_BYTES. On error `output` is zeroed. Time depends on `length` only. */
TATU_MUST_CHECK int tatu_drbg_generate(void *drbg, uint8_t *output, size_t length);

#ifdef __cplusplus
}
#endif

#endif
