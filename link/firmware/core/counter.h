/* The counter that never repeats, kept in EEPROM, and the identity that lies beside it.
 *
 * What is written is a mark that every counter ever used is below (tatulink/mark.h), 256 ahead, in a ring of 16 records
 * of 32 bytes. After a reset counting goes on at the mark: what is left of the block is given up.
 *
 *    0  1  layout version = 1         24  1  slot in the cycle
 *    1  1  suite | key epoch          25  1  slots in the cycle, 0 = free running with jitter
 *    2  2  device                     26  1  period in seconds, 0 = without a pause
 *    4  4  mark                       27  1  region (3 bits) | radio channel (5 bits)
 *    8 16  key                        28  1  pulses of rain that raise the sensor's own warning, 0 = 25
 *                                     29  1  zero (6 bits) | power of the module (2 bits), 0 = the highest
 *                                     30  2  CRC-16 of bytes 0 to 29
 *
 * MIT licence. */
#ifndef LINK_COUNTER_H
#define LINK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"
#include "core/hardware.h"
#include "core/settings.h"
#include <tatulink/mark.h>

#define COUNTER_RECORDS 16
#define COUNTER_RECORD_BYTES 32
#define COUNTER_BLOCK 256U

struct counter {
    struct identity identity;
    struct settings settings;
    uint32_t next;
    struct tatulink_mark mark; /* counters below are reserved */
};

enum counter_status {
    COUNTER_READY,
    COUNTER_NO_RECORD, /* never provisioned, or all records spoiled */
    COUNTER_WORN,      /* no record could be written */
    COUNTER_EXHAUSTED
};

/* Reads the records and reserves the first block. Unless it returns COUNTER_READY nothing may ever be sent; on
 * COUNTER_NO_RECORD `counter` is zeroed. `counter->next` is then the mark that was found (blocks skipped included). */
enum counter_status counter_start(struct counter *counter, struct hardware *hardware);

/* The next counter, reserving a block if necessary. Unless it returns COUNTER_READY nothing may be sent. */
enum counter_status counter_take(struct counter *counter, struct hardware *hardware, uint32_t *value);

/* Writes down settings or a key that have changed in `counter`, in a new record, and gives up what is left of the block
 * of counters. Power may fail at any moment: then the record before it counts, or the new one. Unless it returns
 * COUNTER_READY nothing may be sent. */
enum counter_status counter_keep(struct counter *counter, struct hardware *hardware);

/* Takes the key of the next epoch, and overwrites every record that holds the old one. Counters go on. If the power
 * fails meanwhile, counter_start goes on with it, under the old key or the new one. False if there is no next epoch or
 * the EEPROM does not hold it: then the old key counts. */
bool counter_next_epoch(struct counter *counter, struct hardware *hardware, const uint8_t key[FRAME_KEY_BYTES]);

/* Provisioning for tests and fleets: a record of mark 0 in record 0, all others erased. */
void counter_provision(const struct counter *counter, struct hardware *hardware);

#endif
