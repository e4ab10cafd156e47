/* The counter that never repeats, kept in EEPROM, and the identity that lies beside it.
 *
 * What is written is a mark that every counter ever used is below (tatulink/mark.h), 256 ahead, in a ring of 16 records
 * of 32 bytes. After a reset counting goes on at the mark: what is left of the block is given up.
 *
 *    0  1  layout version = 1         24  1  slot in the cycle
 *    1  1  suite | key epoch          25  1  slots in the cycle, 0 = free running with jitter
 *    2  2  device                     26  1  period in seconds, 0 = without a pause
 *    4  4  mark                       27  1  radio channel
 *    8 16  key                        28  2  zero
 *                                     30  2  CRC-16 of bytes 0 to 29
 *
 * MIT licence. */
#ifndef LINK_COUNTER_H
#define LINK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"
#include "core/hardware.h"
#include <tatulink/mark.h>

#define COUNTER_RECORDS 16
#define COUNTER_RECORD_BYTES 32
#define COUNTER_BLOCK 256U

struct schedule_settings {
    uint8_t slot;
    uint8_t slots; /* 0: free running */
    uint8_t period_s;
};

struct counter {
    struct identity identity;
    struct schedule_settings schedule;
    uint8_t channel;
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

/* Provisioning for tests and fleets: a record of mark 0 in record 0, all others erased. */
void counter_provision(const struct counter *counter, struct hardware *hardware);

#endif
