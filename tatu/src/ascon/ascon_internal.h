/* What Ascon's AEAD, hash and XOF share. "The standard" is NIST SP 800-232.
 *
 * The state is 40 bytes: the words S0 ... S4 one after the other, each little-endian (the standard, section 3.1).
 * So byte i of a block is byte i of the state, and no function but the permutation knows of words. */
#ifndef TATU_ASCON_INTERNAL_H
#define TATU_ASCON_INTERNAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tatu/ascon.h>

#include "ascon_backend.h"

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_ASCON_AEAD_RATE 16
#define TATU_INTERNAL_ASCON_HASH_RATE 8

/* Where in the state the AEAD's tag comes to lie. */
#define TATU_INTERNAL_ASCON_AEAD_TAG 24

/* In `position` of a message in pieces, from init to final. The wipe at the end clears it. */
#define TATU_INTERNAL_ASCON_OPEN 0x80u

/* The constant of the first round, which also says how many rounds there are: each later constant is 0x0f less, and
 * 0x4b is the last one (the standard, section 3.2). */
#define TATU_INTERNAL_ASCON_12_ROUNDS 0xf0
#define TATU_INTERNAL_ASCON_8_ROUNDS 0xb4

/* The assembly permutation works on a state whose words S1, S2 and S3 are inverted (ascon_permutation_avr.S says
 * why). Code that adds to the state need not know it. Code that writes or reads a byte of the state adds this value. */
#if defined(TATU_INTERNAL_ASCON_IN_AVR)
#define TATU_INTERNAL_ASCON_INVERSION 0xff
#else
#define TATU_INTERNAL_ASCON_INVERSION 0x00
#endif

static inline uint8_t tatu_internal_ascon_inversion(uint8_t byte)
{
    return byte >= 8 && byte < 32 ? TATU_INTERNAL_ASCON_INVERSION : 0x00;
}

/* Ascon-p (the standard, section 3). */
void tatu_internal_ascon_permute(uint8_t state[40], uint8_t first_constant);

/* Takes whole blocks, at least one, from `input` up to `end`. It adds them to the state, or encrypts or decrypts
 * them with it. After each block it permutes the state, with 8 rounds at the AEAD's rate and 12 at the hash's rate. */
void tatu_internal_ascon_absorb_blocks(uint8_t state[40], uint8_t rate, const uint8_t *input, const uint8_t *end);
void tatu_internal_ascon_encrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t *end);
void tatu_internal_ascon_decrypt_blocks(uint8_t state[40], uint8_t *output, const uint8_t *input, const uint8_t *end);

/* Adds data to a sponge in blocks of `rate` bytes. After each full block it permutes the state, with 8 rounds at the
 * AEAD's rate and 12 at the hash's rate. `position` is the place in the block at which to continue. It returns the
 * new position, which is less than `rate`. */
uint8_t tatu_internal_ascon_absorb(uint8_t state[40], uint8_t position, uint8_t rate, const uint8_t *input,
                                   size_t length);

/* Initialization (the standard, section 4.1.1). */
void tatu_internal_ascon_aead128_start(uint8_t state[40], const uint8_t key[16], const uint8_t nonce[16]);

/* Ends the associated data, which has been absorbed to `position`: padding, if there was any, and domain separation. */
void tatu_internal_ascon_aead128_separate(uint8_t state[40], uint8_t position, int has_associated_data);

/* Plaintext to ciphertext, without the padding. Positions as above. */
uint8_t tatu_internal_ascon_aead128_encrypt(uint8_t state[40], uint8_t position, uint8_t *output, const uint8_t *input,
                                            size_t length);

/* Padding and finalization. The tag is then the last 16 bytes of the state (as they are, nothing inverted). */
void tatu_internal_ascon_aead128_finish(uint8_t state[40], uint8_t position, const uint8_t key[16]);

/* Pads at `position` of a block of 8 bytes and squeezes `length` bytes out, for hash and XOF (section 5). */
void tatu_internal_ascon_squeeze(uint8_t state[40], uint8_t position, uint8_t *output, size_t length);

/* The standard's padding: one bit, then zeros (section 2.1, little-endian). */
static inline void tatu_internal_ascon_pad(uint8_t state[40], uint8_t position)
{
    state[position] ^= 0x01;
}

/* Zeros instead of an output that failed; `output` may be NULL if `length` is 0. */
static inline void tatu_internal_ascon_zero(uint8_t *output, size_t length)
{
    if (length > 0) {
        memset(output, 0, length);
    }
}

static inline int tatu_internal_ascon_tag_length_is_valid(size_t tag_length)
{
    return tag_length >= TATU_ASCON_AEAD128_SHORTEST_TAG_BYTES && tag_length <= TATU_ASCON_AEAD128_TAG_BYTES;
}

#pragma GCC visibility pop

#endif
