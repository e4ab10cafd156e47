#include <tatulink/mark.h>

#include <string.h>

#include <tatu/wipe.h>
#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#define ERASED 0xff
#define CRC_BYTES 2
#define TRIES 4

enum record_state { RECORD_ERASED, RECORD_SPOILED, RECORD_WHOLE };

static uint16_t address_of(const struct tatulink_ring *ring, uint8_t position)
{
    return (uint16_t)(ring->address + (uint16_t)(position * ring->record_bytes));
}

static enum record_state state_of(const struct tatulink_ring *ring, const uint8_t *record)
{
    uint8_t crc_at = (uint8_t)(ring->record_bytes - CRC_BYTES);
    uint8_t all = ERASED;

    for (uint8_t i = 0; i < ring->record_bytes; i++) {
        all &= record[i];
    }
    if (all == ERASED) {
        return RECORD_ERASED;
    }
    if (crc16_add(CRC16_START, record, crc_at) != get_u16(record + crc_at) ||
        (ring->is_ours != 0 && !ring->is_ours(record))) {
        return RECORD_SPOILED;
    }
    return RECORD_WHOLE;
}

static enum record_state read_record(const struct tatulink_ring *ring, const struct tatulink_storage *storage,
                                     uint8_t position, uint8_t *record)
{
    uint16_t address = address_of(ring, position);

    for (uint8_t i = 0; i < ring->record_bytes; i++) {
        record[i] = storage->read(storage->context, (uint16_t)(address + i));
    }
    return state_of(ring, record);
}

static bool commit(const struct tatulink_storage *storage)
{
    return storage->commit == 0 || storage->commit(storage->context);
}

/* Writes a record and reads it back: an EEPROM cell that is worn out, or a supply that is too low, says nothing. What
 * is collected until `commit` reads back well, whether or not it reached the memory. */
static bool write_record(const struct tatulink_ring *ring, const struct tatulink_storage *storage, uint8_t position,
                         const uint8_t *record)
{
    uint16_t address = address_of(ring, position);
    uint8_t differing = 0;

    for (uint8_t i = 0; i < ring->record_bytes; i++) {
        storage->write(storage->context, (uint16_t)(address + i), record[i]);
    }
    if (!commit(storage)) {
        return false;
    }
    for (uint8_t i = 0; i < ring->record_bytes; i++) {
        uint8_t read = storage->read(storage->context, (uint16_t)(address + i));
        differing = (uint8_t)(differing | (read ^ record[i]));
    }
    return differing == 0;
}

static void complete(const struct tatulink_ring *ring, uint8_t *record, uint32_t mark)
{
    uint8_t crc_at = (uint8_t)(ring->record_bytes - CRC_BYTES);

    put_u32(record + ring->mark_at, mark);
    put_u16(record + crc_at, crc16_add(CRC16_START, record, crc_at));
}

enum tatulink_mark_status tatulink_mark_reserve(struct tatulink_mark *mark, const struct tatulink_ring *ring,
                                                const struct tatulink_storage *storage, uint8_t *record, uint32_t first)
{
    uint32_t left = TATULINK_NEVER - first;
    uint32_t next = left < ring->block ? TATULINK_NEVER : first + ring->block;
    uint8_t step = (uint8_t)(mark->spoiled + 1);
    /* If all others are spoiled (a reset within each of as many writes in a row), there is no place behind them: then
     * the record goes to all of them, so that none of them alone has to be trusted. */
    bool everywhere = step == ring->records;
    /* Few tries, so that a supply that is too low for a moment does not spoil the whole ring. Never in the place of the
     * highest itself: if that were torn, the counter would go back. */
    uint8_t end = everywhere || step + TRIES > ring->records ? ring->records : (uint8_t)(step + TRIES);
    uint8_t highest = mark->position;
    bool held = false;

    if (left == 0) {
        return TATULINK_MARK_EXHAUSTED;
    }
    complete(ring, record, next);
    for (uint8_t i = everywhere ? 1 : step; i < end && (everywhere || !held); i++) {
        uint8_t position = (uint8_t)((highest + i) % ring->records);
        if (write_record(ring, storage, position, record)) {
            mark->position = position;
            held = true;
        }
    }
    if (!held) {
        return TATULINK_MARK_WORN;
    }
    mark->spoiled = 0;
    mark->value = next;
    return TATULINK_MARK_READY;
}

/* How many spoiled records stand in a row after the highest. */
static uint8_t spoiled_after(const struct tatulink_mark *mark, const struct tatulink_ring *ring,
                             const struct tatulink_storage *storage)
{
    uint8_t record[TATULINK_RECORD_BYTES];
    uint8_t count = 0;

    while (count < ring->records - 1 &&
           read_record(ring, storage, (uint8_t)((mark->position + count + 1) % ring->records), record) ==
               RECORD_SPOILED) {
        count++;
    }
    tatu_wipe(record, sizeof record);
    return count;
}

enum tatulink_mark_status tatulink_mark_find(struct tatulink_mark *mark, const struct tatulink_ring *ring,
                                             const struct tatulink_storage *storage, uint8_t *record)
{
    uint8_t each[TATULINK_RECORD_BYTES];
    bool found = false;

    memset(mark, 0, sizeof *mark);
    for (uint8_t position = 0; position < ring->records; position++) {
        enum record_state state = read_record(ring, storage, position, each);
        if (state == RECORD_SPOILED) {
            mark->repaired = true;
        }
        if (state == RECORD_WHOLE && (!found || get_u32(each + ring->mark_at) > mark->value)) {
            memcpy(record, each, ring->record_bytes);
            mark->value = get_u32(each + ring->mark_at);
            mark->position = position;
            found = true;
        }
    }
    tatu_wipe(each, sizeof each);
    if (!found) {
        memset(record, 0, ring->record_bytes);
        mark->position = (uint8_t)(ring->records - 1);
        return TATULINK_MARK_NO_RECORD;
    }
    mark->spoiled = spoiled_after(mark, ring, storage);
    uint32_t skipped = (uint32_t)mark->spoiled * ring->block;
    mark->value = TATULINK_NEVER - mark->value < skipped ? TATULINK_NEVER : mark->value + skipped;
    return TATULINK_MARK_READY;
}

void tatulink_mark_spread(const struct tatulink_mark *mark, const struct tatulink_ring *ring,
                          const struct tatulink_storage *storage, uint8_t *record)
{
    complete(ring, record, mark->value);
    for (uint8_t position = 0; position < ring->records; position++) {
        if (position != mark->position) {
            (void)write_record(ring, storage, position, record);
        }
    }
}

void tatulink_mark_erase(const struct tatulink_mark *mark, const struct tatulink_ring *ring,
                         const struct tatulink_storage *storage)
{
    for (uint8_t step = 1; step <= ring->records; step++) {
        uint16_t address = address_of(ring, (uint8_t)((mark->position + step) % ring->records));
        for (uint8_t i = 0; i < ring->record_bytes; i++) {
            storage->write(storage->context, (uint16_t)(address + i), ERASED);
        }
        (void)commit(storage);
    }
}

enum tatulink_mark_status tatulink_mark_begin(const struct tatulink_ring *ring, const struct tatulink_storage *storage,
                                              uint8_t *record)
{
    complete(ring, record, 0);
    return write_record(ring, storage, 0, record) ? TATULINK_MARK_READY : TATULINK_MARK_WORN;
}

uint8_t tatulink_mark_count_spoiled(const struct tatulink_ring *ring, const struct tatulink_storage *storage)
{
    uint8_t record[TATULINK_RECORD_BYTES];
    uint8_t count = 0;

    for (uint8_t position = 0; position < ring->records; position++) {
        count = (uint8_t)(count + (read_record(ring, storage, position, record) == RECORD_SPOILED));
    }
    tatu_wipe(record, sizeof record);
    return count;
}
