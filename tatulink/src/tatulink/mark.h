/* TatuLink: a number that never goes back, in memory that survives resets.
 *
 * A counter that went back would repeat a nonce, and a repeated nonce opens the cipher. Writing it down each time would
 * wear EEPROM out in days. So a *mark* is written instead, a block ahead, before the first counter of the block is
 * used: every counter ever used is below the highest mark ever written.
 *
 * Marks go round a ring of records, so that power may fail in the middle of a write: the record before it is whole, and
 * the block that the torn one stood for was not begun. A record ends with the CRC-16 of what is before it.
 *
 * A record that is neither whole nor erased may be torn, or may once have been the highest, and spoiled since. Nobody
 * can tell. So for each such record in a row after the highest whole one a block is skipped, and the next record is
 * written behind them. So a mark is never further ahead of another's than a block for each step between their places in
 * the ring, and skipping is enough however often records are spoiled, as long as one before them is whole.
 *
 * MIT licence. */
#ifndef TATULINK_MARK_H
#define TATULINK_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include <tatulink/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reserved for ever, so that a mark above the last counter exists. */
#define TATULINK_NEVER UINT32_C(0xffffffff)

/* No ring has longer records. */
#define TATULINK_RECORD_BYTES 32

/* Where a ring lies, and what its records are. */
struct tatulink_ring {
    uint16_t address;
    uint16_t block;       /* how far a mark is ahead */
    uint8_t records;      /* 2 or more */
    uint8_t record_bytes; /* at most TATULINK_RECORD_BYTES; the last two are the CRC's */
    uint8_t mark_at;      /* where in a record the mark's four bytes lie, the highest first */
    bool (*is_ours)(const uint8_t *record); /* what a whole record must be besides its CRC; NULL: nothing */
};

struct tatulink_mark {
    uint32_t value;
    uint8_t position; /* of the record with the highest mark */
    uint8_t spoiled;  /* how many spoiled records stand in a row after it */
    bool repaired;    /* a spoiled record was found */
};

enum tatulink_mark_status {
    TATULINK_MARK_READY,
    TATULINK_MARK_NO_RECORD, /* never written, or all records are spoiled */
    TATULINK_MARK_WORN,      /* no record could be written */
    TATULINK_MARK_EXHAUSTED
};

/* Finds the highest mark, spoiled records skipped, and its record, to `record` (record_bytes bytes). Writes nothing to
 * the storage. On TATULINK_MARK_NO_RECORD the first record that is reserved goes to the ring's beginning. */
enum tatulink_mark_status tatulink_mark_find(struct tatulink_mark *mark, const struct tatulink_ring *ring,
                                             const struct tatulink_storage *storage, uint8_t *record);

/* Reserves the block that begins at `first`, which must not be below mark->value: `record` gets the new mark and a CRC,
 * and is written and read back. Unless it returns TATULINK_MARK_READY, no number from `first` on may be used. */
enum tatulink_mark_status tatulink_mark_reserve(struct tatulink_mark *mark, const struct tatulink_ring *ring,
                                                const struct tatulink_storage *storage, uint8_t *record,
                                                uint32_t first);

/* Writes `record` with the highest mark, which tatulink_mark_reserve has just written, to all other places: what older
 * records held is then gone. Power may fail meanwhile. */
void tatulink_mark_spread(const struct tatulink_mark *mark, const struct tatulink_ring *ring,
                          const struct tatulink_storage *storage, uint8_t *record);

/* Makes the ring one that was never written. `mark` is what tatulink_mark_find found: its record goes last, so that at
 * no moment an older one is the highest. */
void tatulink_mark_erase(const struct tatulink_mark *mark, const struct tatulink_ring *ring,
                         const struct tatulink_storage *storage);

/* Puts `record` with a mark of 0 at the beginning of a ring that was erased. Returns TATULINK_MARK_READY or
 * TATULINK_MARK_WORN. */
enum tatulink_mark_status tatulink_mark_begin(const struct tatulink_ring *ring, const struct tatulink_storage *storage,
                                              uint8_t *record);

/* How many records of the ring are neither whole nor erased. */
uint8_t tatulink_mark_count_spoiled(const struct tatulink_ring *ring, const struct tatulink_storage *storage);

#ifdef __cplusplus
}
#endif

#endif
