/* Tatu: the source of random bytes.
 *
 * Functions of Tatu that need random bytes (IVs, first counter blocks, seeds) take an entropy function and its state.
 * They never take the random bytes themselves, so you cannot pass a fixed IV by mistake.
 *
 * Which function to pass:
 *   - on a small AVR: tatu_drbg_generate (tatu/drbg.h), seeded once from tatu_entropy_avr_read (tatu/entropy_avr.h);
 *   - with an operating system: tatu_entropy_system_read (tatu/entropy_system.h);
 *   - on a microcontroller with a hardware noise source: tatu_drbg_generate, seeded once from tatu_noise_read
 *     (tatu/noise.h) with a driver of tatu/trng.h;
 *   - never a function that returns constants, the time, rand(), or an analogue pin.
 *
 * MIT licence. */
#ifndef TATU_ENTROPY_H
#define TATU_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `output` with `length` bytes that an adversary can neither predict nor influence. `state` is what the caller
 * handed over beside the function. Returns TATU_OK, or a negative code (TATU_ERR_ENTROPY unless there is a better
 * one); then the caller of the entropy function uses nothing of `output`. Any non-zero result counts as failure. */
typedef int tatu_entropy_function(void *state, uint8_t *output, size_t length);

#ifdef __cplusplus
}
#endif

#endif
