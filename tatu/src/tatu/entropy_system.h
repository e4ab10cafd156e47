/* Tatu: the random bytes of the operating system, as an entropy function (tatu/entropy.h).
 *
 *     struct tatu_drbg drbg;
 *     if (tatu_drbg_start(&drbg, tatu_entropy_system_read, NULL) != TATU_OK) { ... encrypt nothing ... }
 *
 * It is getentropy(), which Linux implements by getrandom(): it waits once, early after the start of the machine, until
 * the kernel's generator has been seeded. On Linux (glibc 2.25 or newer, musl 1.1.20 or newer), FreeBSD, NetBSD,
 * OpenBSD, DragonFly BSD and macOS. Elsewhere this header declares nothing.
 *
 * MIT licence. */
#ifndef TATU_ENTROPY_SYSTEM_H
#define TATU_ENTROPY_SYSTEM_H

#if defined(__linux__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || \
    defined(__DragonFly__) || (defined(__APPLE__) && defined(__MACH__))
/* The system is one of these. */
#define TATU_HAS_ENTROPY_SYSTEM 1

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `output` with `length` random bytes; `state` is not used. Returns TATU_OK, or TATU_ERR_ENTROPY if the system
 * has none; then `output` is zeroed. */
TATU_MUST_CHECK int tatu_entropy_system_read(void *state, uint8_t *output, size_t length);

#ifdef __cplusplus
}
#endif

#endif
#endif
