/* Paper mode: NOT SECURE. The study's way: 16 bytes, one block of AES or Speck, the same key in every device and in
 * this file, no counter, no tag. Anyone can repeat and alter what it sends. It exists to measure what the study
 * measured.
 *
 * -DLINK_PAPER_MODE=1, and -DPAPER_NONE=1 (no cipher), or
 * -DPAPER_CIPHER=tatu_aes128_small -DPAPER_KEY_BYTES=16, and -DPAPER_TWO_KEYS=1 for the small variants, which decrypt
 * with a context of their own.
 *
 * MIT licence. */
#ifndef LINK_PAPER_H
#define LINK_PAPER_H

#if !defined(LINK_PAPER_MODE) || !LINK_PAPER_MODE
#error "paper.h is for paper mode only (LINK_PAPER_MODE): it is not secure"
#endif

#include <stdint.h>

#include <tatu/aes.h>
#include <tatu/speck.h>

#define PAPER_BLOCK_BYTES 16

/* 0: one packet after the other, to measure throughput. The study sent one each 5 s. */
#ifndef LINK_PAPER_PERIOD_S
#define LINK_PAPER_PERIOD_S 0
#endif

/* The study's driver waited 20 ms after each packet: 2 of them are in ours. */
#ifndef LINK_PAPER_SETTLE_MS
#define LINK_PAPER_SETTLE_MS 18
#endif

#define PAPER_JOIN_(a, b) a##b
#define PAPER_JOIN(a, b) PAPER_JOIN_(a, b)

#ifndef PAPER_NONE
#define PAPER_ENCRYPT_CONTEXT struct PAPER_CIPHER
#define PAPER_SET_ENCRYPT_KEY PAPER_JOIN(PAPER_CIPHER, _set_key)
#define PAPER_ENCRYPT PAPER_JOIN(PAPER_CIPHER, _encrypt)
#define PAPER_DECRYPT PAPER_JOIN(PAPER_CIPHER, _decrypt)
#ifdef PAPER_TWO_KEYS
#define PAPER_DECRYPT_CONTEXT struct PAPER_JOIN(PAPER_CIPHER, _decrypt)
#define PAPER_SET_DECRYPT_KEY PAPER_JOIN(PAPER_CIPHER, _set_decrypt_key)
#else
#define PAPER_DECRYPT_CONTEXT struct PAPER_CIPHER
#define PAPER_SET_DECRYPT_KEY PAPER_JOIN(PAPER_CIPHER, _set_key)
#endif

/* The key: 0, 1, 2 ... */
static inline void paper_key(uint8_t key[PAPER_KEY_BYTES])
{
    for (uint8_t i = 0; i < PAPER_KEY_BYTES; i++) {
        key[i] = i;
    }
}
#endif

#endif
