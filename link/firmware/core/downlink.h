/* Frames to the device: types 2 (order) and 3 (the next key), of the same form as those from it.
 *
 * They are sealed under a key of their own direction (core/derive.h), and numbered by the server. The device accepts
 * each number once and none below one that it has accepted, whatever resets it: the mark is in EEPROM, in a ring of
 * records (tatulink/mark.h), before anything is done. Each acceptance is written twice, the second time one higher, so
 * that one record that spoils later does not let anything be repeated. So the server's numbers go up by 2 at least.
 *
 *    0  4  mark: lower counters are refused
 *    4  2  D1 00: no record of the rain total looks so (core/rain.h)
 *    6  2  CRC-16 of bytes 0 to 5
 *
 * An order:
 *
 *    0  4  counter of the frame that it answers
 *    4  4  Unix time at which the gateway had that frame; 0: not told
 *    8  2  milliseconds of it (10 bits); bit 15: set the clock whatever it shows
 *   10  3  bit i (24 bits): the frame with the counter of the answered one - 1 - i is missing
 *   13  1  setting (core/settings.h), 0: none
 *   14  2  its value
 *
 * The payload of type 3 is the key of the next epoch.
 *
 * A frame that somebody kept from the device would stay good until a newer one is accepted. So an order is accepted
 * only if it answers one of the device's last frames, and the key that type 3 is sealed under (DERIVE_KEY) changes with
 * each eighth frame; that of the eight before is good too.
 *
 * MIT licence. */
#ifndef LINK_DOWNLINK_H
#define LINK_DOWNLINK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"
#include "core/hardware.h"
#include "core/resend.h"
#include <tatulink/mark.h>

#define DOWNLINK_EEPROM_AT 768U
#define DOWNLINK_RECORDS 16
#define DOWNLINK_RECORD_BYTES 8

#define DOWNLINK_MISSING_BITS 24

struct downlink {
    struct tatulink_mark mark;
};

struct order {
    uint32_t counter;
    uint32_t answers;
    uint32_t unix_s; /* 0: not told */
    uint16_t ms;
    bool whatever_it_shows;
    uint32_t missing;
    uint8_t setting;
    uint16_t value;
};

enum downlink_found {
    DOWNLINK_NOTHING,  /* no frame to this device, or forged */
    DOWNLINK_REPLAYED, /* accepted before, or older than one that was */
    DOWNLINK_STALE,    /* it answers none of the last frames: somebody kept it */
    DOWNLINK_WORN,     /* the acceptance cannot be written down: nothing is ever accepted again */
    DOWNLINK_ORDER,
    DOWNLINK_KEY
};

/* Finds the mark in EEPROM. */
void downlink_start(struct downlink *downlink, struct hardware *hardware);

/* Whether 32 bytes say of themselves that they are a frame to this device. Costs nothing, and proves nothing. */
bool downlink_is_for(const uint8_t frame[FRAME_BYTES], const struct identity *identity);

/* Opens a frame that answers one of `last`, and writes down that it is accepted before it returns. On DOWNLINK_ORDER `order` is what it asks; on
 * DOWNLINK_KEY `key` is the next epoch's, which the caller wipes. */
enum downlink_found downlink_open(struct downlink *downlink, struct hardware *hardware, struct order *order,
                                  uint8_t key[FRAME_KEY_BYTES], const struct identity *identity,
                                  const struct answerable *last, const uint8_t frame[FRAME_BYTES]);

#endif
