/* Tatu: sealed messages. For programs that should not have to choose nonces.
 *
 * A sealed message is a nonce of 16 bytes, the ciphertext, and a tag of 16 bytes, made with Ascon-AEAD128
 * (tatu/ascon.h, NIST SP 800-232). Nobody without the key can read it, and a change of any bit is noticed. An old
 * message can still be sent again: put a counter into the message or the associated data, and accept each once; or
 * compare the numbers of tatu_nonces, which are the last 8 bytes of the nonce, highest byte first.
 *
 * The nonce comes from one of two sources, which both are entropy functions (tatu/entropy.h):
 *   - tatu_drbg_generate (tatu/drbg.h), or your operating system: 16 random bytes.
 *   - tatu_nonces_take: numbers that you reserved in memory that survives resets. No entropy is needed.
 *
 *     struct tatu_nonces nonces;
 *     first = ... the number in EEPROM;
 *     ... write first + 100 to EEPROM, and only then:
 *     tatu_nonces_start(&nonces, sender, first, 100);
 *     result = tatu_seal(key, packet, message, length, NULL, 0, tatu_nonces_take, &nonces);    length + 32 bytes
 *
 *     result = tatu_unseal(key, message, packet, packet_length, NULL, 0);                      packet_length - 32
 *
 * One key has one kind of source. Devices that share a key have different `sender` bytes.
 *
 * For both functions: no buffer needs alignment; if a length is 0, its pointer may be NULL; the time depends on lengths
 * only (and unsealing shows whether the tag was right, as its result does); there is no heap and no global state.
 *
 * MIT licence. */
#ifndef TATU_SEALED_H
#define TATU_SEALED_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_SEALED_KEY_BYTES 16
#define TATU_SEALED_NONCE_BYTES 16
#define TATU_SEALED_TAG_BYTES 16

/* A sealed message is longer than the message by this. */
#define TATU_SEALED_MORE_BYTES (TATU_SEALED_NONCE_BYTES + TATU_SEALED_TAG_BYTES)

#define TATU_NONCES_SENDER_BYTES 8

/* Seals `length` bytes of `message` to `packet`, which has length + TATU_SEALED_MORE_BYTES bytes. The message may lie
 * at the beginning of the packet, or behind the place of the nonce; otherwise the two must not overlap. The associated
 * data are not in the packet, but the receiver needs the same.
 * Returns TATU_OK. If the source of the nonce failed, the whole packet is zeroed, and it returns TATU_ERR_EXHAUSTED if
 * that is what the source returned, TATU_ERR_ENTROPY otherwise. */
TATU_MUST_CHECK int tatu_seal(const uint8_t key[16], uint8_t *packet, const uint8_t *message, size_t length,
                              const uint8_t *associated_data, size_t associated_data_length,
                              tatu_entropy_function *source, void *source_state);

/* Opens a packet of `packet_length` bytes to `message`, packet_length - TATU_SEALED_MORE_BYTES bytes. `message` may be
 * `packet`, or packet + TATU_SEALED_NONCE_BYTES; otherwise the two must not overlap.
 * Returns TATU_OK; TATU_ERR_LENGTH if the packet is too short to be one, and nothing is written;
 * TATU_ERR_AUTHENTICATION if it or the associated data differ from what was sealed, and the message is zeroed. */
TATU_MUST_CHECK int tatu_unseal(const uint8_t key[16], uint8_t *message, const uint8_t *packet, size_t packet_length,
                                const uint8_t *associated_data, size_t associated_data_length);

/* Reserved numbers. Keep the structure, but do not use its members, and do not copy it. */
struct tatu_nonces {
    uint64_t next;
    uint32_t left;
    uint8_t sender[TATU_NONCES_SENDER_BYTES];
};

/* Begins with number `first` of `count`, which have never been used with the key. Before this call, memory that
 * survives resets must say that they are used. `sender` differs between devices that share a key. */
void tatu_nonces_start(struct tatu_nonces *nonces, const uint8_t sender[TATU_NONCES_SENDER_BYTES], uint64_t first,
                       uint32_t count);

/* Writes the next nonce: the sender, then the number, highest byte first. It is an entropy function for tatu_seal only:
 * nonces are not random. `nonces` is a struct tatu_nonces *. Returns TATU_OK; TATU_ERR_EXHAUSTED if no number is left
 * (zeroed memory has none); TATU_ERR_LENGTH if `length` is not 16. After an error the output is zeroed. */
TATU_MUST_CHECK int tatu_nonces_take(void *nonces, uint8_t *output, size_t length);

#ifdef __cplusplus
}
#endif

#endif
