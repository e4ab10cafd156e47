/* TatuLink: sealed messages over any radio. A sealed message is a packet that nobody without the key can read, change,
 * make or send again.
 *
 *     status = tatulink_begin(&link, &storage, 0, TATULINK_PACKET_16, &tatulink_ascon);
 *     status = tatulink_seal(&link, packet, &packet_bytes, message, bytes);
 *     status = tatulink_open(&link, message, &bytes, packet, packet_bytes);
 *
 * All devices of a group have one key, and each an identity of its own: two devices with one key and one identity would
 * use nonces twice, and whoever listens could then read both. Provision each once (tatulink_provision); the key is then
 * in the device's memory, not in the program. A key that a device has used and lost, because its memory was erased or
 * another key took its place, is never given to the same identity again.
 *
 * The memory has TATULINK_STORAGE_BYTES bytes from `address` on: 16 records of 32 bytes for the sender's counter and
 * its key (mark.h), and 8 of 8 bytes for each sender that is heard.
 *
 *     sender's record    0 layout = 1 | 1 suite, epoch | 2 identity | 4 mark | 8 key | 24 settings, the program's own |
 *                        30 CRC-16
 *     receiver's record  0 sender | 2 mark | 6 CRC-16
 *
 * A short header has the lowest 16 bits of the counter. The receiver looks for the rest first where the sender's last
 * packet was, then 65,536 further on with each packet that it cannot open. So it finds a sender that has got ahead of
 * it after as many packets.
 *
 * After a reset the sender gives up what is left of its block of 256 counters. The receiver refuses, as seen, up to 31
 * messages of each sender that it has not seen: it cannot tell them from those that it has.
 *
 * MIT licence. */
#ifndef TATULINK_LINK_H
#define TATULINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <tatulink/mark.h>
#include <tatulink/packet.h>
#include <tatulink/storage.h>
#include <tatulink/suite.h>
#include <tatulink/window.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many devices one device hears, a decimal number. Each takes 64 bytes of EEPROM and 20 of RAM. Every file must be
 * compiled with the same one: -DTATULINK_SENDERS=8. A #define in a sketch does not reach the library. */
#ifndef TATULINK_SENDERS
#define TATULINK_SENDERS 4
#endif

#define TATULINK_OWN_RECORDS 16
#define TATULINK_OWN_RECORD_BYTES 32
#define TATULINK_OWN_BLOCK 256
#define TATULINK_SENDER_RECORDS 8
#define TATULINK_SENDER_RECORD_BYTES 8
#define TATULINK_SENDER_BLOCK 32
#define TATULINK_OWN_BYTES (TATULINK_OWN_RECORDS * TATULINK_OWN_RECORD_BYTES)
#define TATULINK_SENDER_BYTES (TATULINK_SENDER_RECORDS * TATULINK_SENDER_RECORD_BYTES)
#define TATULINK_STORAGE_BYTES (TATULINK_OWN_BYTES + TATULINK_SENDERS * TATULINK_SENDER_BYTES)

/* No packet is longer than its message by more. */
#define TATULINK_MOST_OVERHEAD_BYTES 28

enum tatulink_status {
    TATULINK_OK,
    TATULINK_NOT_PROVISIONED,  /* there is no key in this device's memory, or all of it is spoiled */
    TATULINK_BAD_IDENTITY,     /* a short header has identities of 0 to 255, and an epoch is 0 to 15 */
    TATULINK_WORN,             /* the memory does not hold what is written to it: nothing is sent or accepted */
    TATULINK_EXHAUSTED,        /* the counter has reached its end: provision with another key */
    TATULINK_BAD_LENGTH,       /* the message is too long for one packet, or the suite has no such tags */
    TATULINK_NO_PACKET,        /* too short, or of another form or suite */
    TATULINK_OWN_PACKET,       /* this device sent it: somebody sends it back */
    TATULINK_OTHER_RECIPIENT,  /* for another device */
    TATULINK_FORGED,           /* made without the key, or changed on the way */
    TATULINK_REPLAYED,         /* accepted before */
    TATULINK_TOO_OLD,          /* so old that nobody knows whether it was accepted before */
    TATULINK_TOO_MANY_SENDERS, /* TATULINK_SENDERS others were heard before */
    TATULINK_DAMAGED,          /* what is remembered of a sender is spoiled, so that no new one can be told from it */
    TATULINK_NO_RECIPIENT      /* only a wide header names a recipient and a topic */
};

struct tatulink_sender {
    struct tatulink_window window;
    struct tatulink_mark mark; /* counters from here on were not accepted before the last reset */
    uint16_t identity;
    uint16_t guess; /* short headers: how many times 65,536 further on the counter is looked for */
    bool is_known;
};

struct tatulink {
    const struct tatulink_storage *storage;
    const struct tatulink_suite *suite;
    struct tatulink_form form;
    uint16_t address; /* in the storage */
    uint16_t identity;
    uint8_t epoch;
    uint8_t key[TATULINK_KEY_BYTES];
    uint8_t settings[6];
    uint32_t next; /* counter */
    struct tatulink_mark mark;
    struct tatulink_sender senders[TATULINK_SENDERS];
    bool is_ready;
    bool is_damaged; /* the memory of a sender is */
};

/* The header of the last packet that was opened: who sent it, and for a wide one to whom and of what. */
struct tatulink_opened {
    uint16_t sender;
    uint16_t recipient;
    uint16_t topic;
    uint32_t counter;
};

/* A packet for all. No device has this identity. */
#define TATULINK_EVERYONE 0xffff

/* Forms, by how many bytes a packet is longer than its message. Both ends have the same. */
static const struct tatulink_form TATULINK_PACKET_8 = {TATULINK_SHORT_HEADER_BYTES, 4}; /* tatulink_aes_ccm only */
static const struct tatulink_form TATULINK_PACKET_12 = {TATULINK_SHORT_HEADER_BYTES, 8};
static const struct tatulink_form TATULINK_PACKET_16 = {TATULINK_STANDARD_HEADER_BYTES, 8};
static const struct tatulink_form TATULINK_PACKET_20 = {TATULINK_WIDE_HEADER_BYTES, 8};
static const struct tatulink_form TATULINK_PACKET_24 = {TATULINK_STANDARD_HEADER_BYTES, 16};
static const struct tatulink_form TATULINK_PACKET_28 = {TATULINK_WIDE_HEADER_BYTES, 16};

/* Does nothing. A program that calls it and was compiled with another TATULINK_SENDERS than the library, and so has
 * another struct tatulink, does not link. */
#define TATULINK_INTERNAL_JOINED(name, number) name##number
#define TATULINK_INTERNAL_WITH(name, number) TATULINK_INTERNAL_JOINED(name, number)
#define tatulink_internal_check_senders                                                                   \
    TATULINK_INTERNAL_WITH(tatulink_internal_compile_every_file_with_TATULINK_SENDERS_, TATULINK_SENDERS)
void tatulink_internal_check_senders(void);

/* Reads identity, key and counters from the storage, and reserves the next block of counters. Unless it returns
 * TATULINK_OK, nothing can be sealed or opened: TATULINK_NOT_PROVISIONED, TATULINK_BAD_IDENTITY, TATULINK_WORN or
 * TATULINK_EXHAUSTED. `storage` must outlive `link`. */
enum tatulink_status tatulink_begin(struct tatulink *link, const struct tatulink_storage *storage, uint16_t address,
                                    struct tatulink_form form, const struct tatulink_suite *suite);

/* Gives this device an identity and the group's key, and begins. With the key that is in the storage already the
 * counters go on, so that provisioning twice repeats none. With another, everything begins anew: if the power fails
 * meanwhile, the device is not provisioned. `settings` are six bytes of the program's own, or NULL for zeros. `key`
 * and `settings` may be those of `link`. Returns what tatulink_begin does. */
enum tatulink_status tatulink_provision(struct tatulink *link, const struct tatulink_storage *storage, uint16_t address,
                                        struct tatulink_form form, const struct tatulink_suite *suite,
                                        uint16_t identity, uint8_t epoch, const uint8_t key[TATULINK_KEY_BYTES],
                                        const uint8_t *settings);

/* Seals a message to `packet`, which has form's header and tag bytes more, and its length to `packet_bytes`. Where the
 * header is wide the message is for everyone, of topic 0. Returns TATULINK_OK, or why there is no packet, of length 0:
 * TATULINK_NOT_PROVISIONED, TATULINK_WORN, TATULINK_EXHAUSTED, TATULINK_BAD_LENGTH. The
 * message's length is no secret. */
enum tatulink_status tatulink_seal(struct tatulink *link, uint8_t *packet, uint8_t *packet_bytes,
                                   const uint8_t *message, uint8_t bytes);

/* The same with a wide header for one recipient, or TATULINK_EVERYONE. With another header a recipient or a topic is
 * TATULINK_NO_RECIPIENT: everyone would take the message. */
enum tatulink_status tatulink_seal_for(struct tatulink *link, uint8_t *packet, uint8_t *packet_bytes,
                                       const uint8_t *message, uint8_t bytes, uint16_t recipient, uint16_t topic);

/* Opens a packet of `packet_bytes` bytes to `message`, which must not overlap it and has room for packet_bytes less
 * header and tag, and its length to `bytes`. Returns TATULINK_OK, with `opened` filled if it is not NULL, or why not:
 * then `bytes` is 0, and what was written to the message is zeros. Each packet is opened once, resets or not. */
enum tatulink_status tatulink_open(struct tatulink *link, uint8_t *message, uint8_t *bytes, const uint8_t *packet,
                                   uint8_t packet_bytes, struct tatulink_opened *opened);

#ifdef __cplusplus
}
#endif

#endif
