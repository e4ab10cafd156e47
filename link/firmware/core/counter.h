/* The counter that never repeats, kept in EEPROM, and the identity that lies beside it.
 *
 * A counter that went back would repeat a nonce, and a repeated nonce opens the cipher. Writing it down for every frame
 * would wear EEPROM out in days. So a *mark* is written instead, 256 ahead, before the first counter of its block is
 * used: every counter ever used is below the highest mark ever written. After a reset counting goes on at the mark:
 * what is left of the block is given up.
 *
 * Marks go round a ring of 16 records of 32 bytes, so that power may fail in the middle of a write: the record before
 * it is whole, and the block that the torn one stood for was not begun.
 *
 *    0  1  layout version = 1         24  1  slot in the cycle
 *    1  1  suite | key epoch          25  1  slots in the cycle, 0 = free running with jitter
 *    2  2  device                     26  1  period in seconds, 0 = without a pause
 *    4  4  mark                       27  1  radio channel
 *    8 16  key                        28  2  zero
 *                                     30  2  CRC-16 of bytes 0 to 29
 *
 * A record that is neither whole nor erased may be torn, or may once have been the highest, and spoiled since. Nobody
 * can tell. So for each such record in a row after the highest whole one a block of 256 is skipped, and the next record
 * is written behind them. So a mark is never further ahead of another's than 256 for each step between their places
 * in the ring, and skipping is enough however often records are spoiled, as long as one before them is whole.
 *
 * MIT licence. */
#ifndef LINK_COUNTER_H
#define LINK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"
#include "core/hardware.h"

#define COUNTER_RECORDS 16
#define COUNTER_RECORD_BYTES 32
#define COUNTER_BLOCK 256U

/* Reserved for ever, so that a mark above the last counter exists. */
#define COUNTER_NEVER UINT32_C(0xffffffff)

struct schedule_settings {
    uint8_t slot;
    uint8_t slots; /* 0: free running */
    uint8_t period_s;
};

struct counter {
    struct identity identity;
    struct schedule_settings schedule;
    uint8_t channel;
    uint8_t position; /* of the record with the highest mark */
    bool repaired;    /* a spoiled record was found */
    uint32_t next;
    uint32_t mark; /* counters below are reserved */
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
