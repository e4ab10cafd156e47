/* TatuLink: the packet on the air.
 *
 *     header   ciphertext, as long as the message   tag
 *
 * Three headers, numbers highest byte first:
 *
 *            short        standard                  wide
 *     0  1   form | type  form | type               form | type         4 bits each; form: 2, 1, 3
 *     1  1   sender       suite | epoch of the key  suite | epoch       4 bits each
 *     2  2   counter      sender                    sender
 *     4  4                counter                   counter
 *     8  2                                          recipient
 *    10  2                                          topic
 *
 * Tags have 4 to 16 bytes, so that a packet is 8 to 28 bytes longer than its message. Whoever tries forgeries succeeds
 * with one in 2^32 of them if tags have 4 bytes, which few radios let through in a lifetime, with one in 2^64 for 8
 * bytes and one in 2^128 for 16.
 *
 * The whole header is associated data. The nonce is the header, zeros, and in its last byte the length of the tag (0
 * for 8 bytes). A short header has only the lowest parts of sender and counter on the air; header and nonce that are
 * sealed have all of them, as in a standard header. So a nonce repeats only if a sender's counter does, which mark.h
 * prevents.
 *
 * MIT licence. */
#ifndef TATULINK_PACKET_H
#define TATULINK_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <tatulink/suite.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATULINK_SHORT_HEADER_BYTES 4
#define TATULINK_STANDARD_HEADER_BYTES 8
#define TATULINK_WIDE_HEADER_BYTES 12

struct tatulink_form {
    uint8_t header_bytes; /* one of the three */
    uint8_t tag_bytes;    /* 4 to 16, as the suite allows */
};

struct tatulink_header {
    uint32_t counter; /* short: bits 0 to 15 on the air */
    uint16_t sender;  /* short: bits 0 to 7 on the air */
    uint16_t recipient; /* wide, else 0 */
    uint16_t topic;     /* wide, else 0 */
    uint8_t type;     /* 0 to 15 */
    uint8_t epoch;    /* 0 to 15; short: not on the air */
};

/* Seals `bytes` bytes of message to `packet`, which has room for header and tag besides, at most 255 bytes together.
 * The caller uses the counter this once. Returns the packet's length; 0, and nothing of the message in `packet`, if
 * the suite has no such tags or the packet would be too long. */
uint8_t tatulink_packet_seal(uint8_t *packet, const struct tatulink_form *form, const struct tatulink_sealer *sealer,
                             const uint8_t *key, const struct tatulink_header *header, const uint8_t *message,
                             uint8_t bytes);

/* What a packet says of itself, unverified. False if it is too short or of another form or suite. What is not on the
 * air stays as it is in `header`. */
bool tatulink_packet_read(struct tatulink_header *header, const struct tatulink_form *form,
                          const struct tatulink_opener *opener, const uint8_t *packet, uint8_t packet_bytes);

/* Opens a packet that was read, with `header` complete. False, and a message of zeros, unless the tag is right. Says
 * nothing of replays: that needs a memory of counters (window.h). */
bool tatulink_packet_open(uint8_t *message, const struct tatulink_form *form, const struct tatulink_opener *opener,
                          const uint8_t *key, const struct tatulink_header *header, const uint8_t *packet,
                          uint8_t packet_bytes);

#ifdef __cplusplus
}
#endif

#endif
