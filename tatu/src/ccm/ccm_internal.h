/* The common parts of both directions of CCM. */
#ifndef TATU_CCM_INTERNAL_H
#define TATU_CCM_INTERNAL_H

#include <tatu/ccm.h>

#include "../common/batch.h"

#include "../common/assembly.h"

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_CCM_BLOCK_BYTES 16

/* The stack below the frame that holds the secrets of the message, without the cipher, which wipes its own stack. */
#define TATU_INTERNAL_CCM_STACK_BYTES 96

/* In assembly for AVR the last block that was added to the CBC-MAC is not yet encrypted (avr/crypt.inc). */
#if defined(TATU_INTERNAL_XOR_IN_AVR)
#define TATU_INTERNAL_CCM_MAC_WAITS
#endif

/* A message that is being processed: the CBC-MAC so far, and the counter block whose encryption hides the next
 * block. */
struct tatu_internal_ccm {
    struct tatu_block_encrypter cipher;
#if defined(TATU_INTERNAL_PAIRS) || defined(TATU_INTERNAL_XOR_IN_AVR)
    /* then the key stream: of the next block, which the same call encrypts, or of this block on AVR */
    uint8_t mac[2 * TATU_INTERNAL_CCM_BLOCK_BYTES];
#else
    uint8_t mac[TATU_INTERNAL_CCM_BLOCK_BYTES];
#endif
    uint8_t counter[TATU_INTERNAL_CCM_BLOCK_BYTES];
};

/* Begins a message and processes all of its associated data. Returns TATU_OK, or TATU_ERR_LENGTH; then there is nothing
 * to wipe. */
int tatu_internal_ccm_start(struct tatu_internal_ccm *ccm, struct tatu_block_encrypter cipher, size_t length,
                            const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce,
                            size_t nonce_length, size_t tag_length);

/* Computes the key stream of the next block of the message. */
void tatu_internal_ccm_next_key_stream(struct tatu_internal_ccm *ccm, uint8_t key_stream[16]);

/* Continues the CBC-MAC after a block was exclusive-ored to ccm->mac. */
void tatu_internal_ccm_next_mac(struct tatu_internal_ccm *ccm);

#if defined(TATU_INTERNAL_PAIRS)
/* For a cipher that takes many blocks: as tatu_internal_ccm_next_mac. It also writes a key stream behind the first
 * block of ccm->mac: that of the next block of the remaining `length` bytes, or that of the tag if none remain. The
 * key stream of the first block is there when the message begins. */
void tatu_internal_ccm_next_pair(struct tatu_internal_ccm *ccm, size_t length);
#elif defined(TATU_INTERNAL_MANY_BLOCKS)
/* For a cipher that takes many blocks: computes the key stream of the next `length` bytes, to the end of their
 * last block. */
void tatu_internal_ccm_long_key_stream(struct tatu_internal_ccm *ccm, uint8_t *key_stream, size_t length);

/* Adds `length` bytes to the CBC-MAC, and zeros to the end of their last block. */
void tatu_internal_ccm_authenticate(struct tatu_internal_ccm *ccm, const uint8_t *data, size_t length);
#endif

/* Ends the message: its whole tag is in ccm->mac. */
void tatu_internal_ccm_finish(struct tatu_internal_ccm *ccm);

#pragma GCC visibility pop

#endif
