/* Tatu: a deterministic random bit generator, CTR_DRBG of SP 800-90A Rev. 1 with AES-128 and no derivation function.
 *
 * An entropy source on a small device is slow: it needs seconds for a key. So seed this generator once after each
 * reset, and take keys, IVs and first counter blocks from it. Each costs a few AES blocks. tatu_drbg_generate is an
 * entropy function (tatu/entropy.h), so you can pass it wherever Tatu needs one.
 *
 *   - The security depends on the seed: 32 bytes from a source of full entropy, such as tatu_entropy_avr_read
 *     (tatu/entropy_avr.h) or the operating system. SP 800-90A requires exactly this if there is no derivation
 *     function.
 *   - Use one generator for one device, in RAM. Never save it, copy it, or write a constant into it: two devices with
 *     the same state make the same keys.
 *   - An attacker who gets the state cannot compute earlier output, because the state is replaced after each request.
 *     Reseed to protect later output from someone who may have read the state.
 *
 * The security strength is 128 bits. AES is the small variant: 16 bytes of key, round keys computed during encryption.
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
