#include <tatulink/link.h>

#include <string.h>

#include <tatu/equal.h>
#include <tatu/wipe.h>
#include <tatulink/bytes.h>

#define LAYOUT_VERSION 1
#define MARK_AT 4
#define KEY_AT 8
#define SETTINGS_AT 24
#define SENDER_MARK_AT 2
#define MESSAGE 0 /* the only type of packet yet */

void tatulink_internal_check_senders(void)
{
}

static bool is_own(const uint8_t *record)
{
    return record[0] == LAYOUT_VERSION;
}

static struct tatulink_ring own_ring(uint16_t address)
{
    struct tatulink_ring ring = {address, TATULINK_OWN_BLOCK, TATULINK_OWN_RECORDS, TATULINK_OWN_RECORD_BYTES, MARK_AT,
                                 is_own};
    return ring;
}

static struct tatulink_ring sender_ring(uint16_t address, uint8_t place)
{
    uint16_t at = (uint16_t)(address + TATULINK_OWN_BYTES + (uint16_t)(place * TATULINK_SENDER_BYTES));
    struct tatulink_ring ring = {
        at, TATULINK_SENDER_BLOCK, TATULINK_SENDER_RECORDS, TATULINK_SENDER_RECORD_BYTES, SENDER_MARK_AT, 0};
    return ring;
}

static enum tatulink_status status_of(enum tatulink_mark_status status)
{
    return status == TATULINK_MARK_READY       ? TATULINK_OK
           : status == TATULINK_MARK_NO_RECORD ? TATULINK_NOT_PROVISIONED
           : status == TATULINK_MARK_WORN      ? TATULINK_WORN
                                               : TATULINK_EXHAUSTED;
}

static void unpack(struct tatulink *link, const uint8_t record[TATULINK_OWN_RECORD_BYTES])
{
    link->epoch = record[1] & 0x0f;
    link->identity = get_u16(record + 2);
    memcpy(link->key, record + KEY_AT, TATULINK_KEY_BYTES);
    memcpy(link->settings, record + SETTINGS_AT, sizeof link->settings);
}

static void pack(uint8_t record[TATULINK_OWN_RECORD_BYTES], const struct tatulink *link)
{
    record[0] = LAYOUT_VERSION;
    record[1] = (uint8_t)((uint8_t)(link->suite->sealer->number << 4) | link->epoch);
    put_u16(record + 2, link->identity);
    memcpy(record + KEY_AT, link->key, TATULINK_KEY_BYTES);
    memcpy(record + SETTINGS_AT, link->settings, sizeof link->settings);
}

static enum tatulink_status reserve(struct tatulink *link)
{
    struct tatulink_ring ring = own_ring(link->address);
    uint8_t record[TATULINK_OWN_RECORD_BYTES];
    uint32_t first = link->mark.value;

    pack(record, link);
    enum tatulink_mark_status status = tatulink_mark_reserve(&link->mark, &ring, link->storage, record, first);
    tatu_wipe(record, sizeof record);
    link->next = first;
    return status_of(status);
}

/* What is remembered of the senders. A place without a whole record is free, with one spoiled record too, since its
 * first one can be torn. More of them mean that there were whole ones, and what they remembered is lost. */
static void load_senders(struct tatulink *link)
{
    uint8_t record[TATULINK_SENDER_RECORD_BYTES];

    for (uint8_t place = 0; place < TATULINK_SENDERS; place++) {
        struct tatulink_ring ring = sender_ring(link->address, place);
        struct tatulink_sender *sender = &link->senders[place];
        sender->is_known = tatulink_mark_find(&sender->mark, &ring, link->storage, record) == TATULINK_MARK_READY;
        sender->identity = get_u16(record);
        tatulink_window_start(&sender->window, sender->mark.value);
        if (!sender->is_known && tatulink_mark_count_spoiled(&ring, link->storage) > 1) {
            link->is_damaged = true;
        }
    }
}

static void set_up(struct tatulink *link, const struct tatulink_storage *storage, uint16_t address,
                   struct tatulink_form form, const struct tatulink_suite *suite)
{
    memset(link, 0, sizeof *link);
    link->storage = storage;
    link->address = address;
    link->form = form;
    link->suite = suite;
}

static bool is_good(const struct tatulink *link)
{
    return link->epoch <= 0x0f && link->identity != TATULINK_EVERYONE &&
           (link->form.header_bytes != TATULINK_SHORT_HEADER_BYTES || link->identity <= 0xff);
}

/* Ends what tatulink_begin and tatulink_provision do: no key stays where nothing can be done with it. */
static enum tatulink_status ended(struct tatulink *link, enum tatulink_status status)
{
    link->is_ready = status == TATULINK_OK;
    if (!link->is_ready) {
        tatu_wipe(link->key, sizeof link->key);
    }
    return status;
}

enum tatulink_status tatulink_begin(struct tatulink *link, const struct tatulink_storage *storage, uint16_t address,
                                    struct tatulink_form form, const struct tatulink_suite *suite)
{
    struct tatulink_ring ring = own_ring(address);
    uint8_t record[TATULINK_OWN_RECORD_BYTES];

    set_up(link, storage, address, form, suite);
    enum tatulink_status status = status_of(tatulink_mark_find(&link->mark, &ring, storage, record));
    unpack(link, record);
    if (status == TATULINK_OK && record[1] >> 4 != suite->sealer->number) {
        status = TATULINK_NOT_PROVISIONED;
    }
    tatu_wipe(record, sizeof record);
    if (status == TATULINK_OK && !is_good(link)) {
        status = TATULINK_BAD_IDENTITY;
    }
    if (status == TATULINK_OK) {
        status = reserve(link);
    }
    load_senders(link);
    return ended(link, status);
}

enum tatulink_status tatulink_provision(struct tatulink *link, const struct tatulink_storage *storage, uint16_t address,
                                        struct tatulink_form form, const struct tatulink_suite *suite,
                                        uint16_t identity, uint8_t epoch, const uint8_t key[TATULINK_KEY_BYTES],
                                        const uint8_t *settings)
{
    struct tatulink_ring ring = own_ring(address);
    uint8_t record[TATULINK_OWN_RECORD_BYTES];
    uint8_t given_key[TATULINK_KEY_BYTES], given_settings[sizeof link->settings] = {0};

    memcpy(given_key, key, sizeof given_key); /* they may be the link's own */
    if (settings != 0) {
        memcpy(given_settings, settings, sizeof given_settings);
    }
    set_up(link, storage, address, form, suite);
    bool is_same = tatulink_mark_find(&link->mark, &ring, storage, record) == TATULINK_MARK_READY &&
                   tatu_equal(record + KEY_AT, given_key, TATULINK_KEY_BYTES);
    link->identity = identity;
    link->epoch = epoch;
    memcpy(link->key, given_key, sizeof given_key);
    memcpy(link->settings, given_settings, sizeof given_settings);
    tatu_wipe(given_key, sizeof given_key);
    tatu_wipe(record, sizeof record);
    if (!is_good(link)) {
        return ended(link, TATULINK_BAD_IDENTITY);
    }
    if (is_same) {
        enum tatulink_status status = reserve(link);
        load_senders(link);
        return ended(link, status);
    }
    /* The old key goes first: a memory of senders that is half erased must meet no key. */
    tatulink_mark_erase(&link->mark, &ring, storage);
    load_senders(link);
    for (uint8_t place = 0; place < TATULINK_SENDERS; place++) {
        struct tatulink_ring senders = sender_ring(address, place);
        tatulink_mark_erase(&link->senders[place].mark, &senders, storage);
    }
    pack(record, link);
    enum tatulink_status status = status_of(tatulink_mark_begin(&ring, storage, record));
    tatu_wipe(record, sizeof record);
    return status == TATULINK_OK ? tatulink_begin(link, storage, address, form, suite) : ended(link, status);
}

enum tatulink_status tatulink_seal_for(struct tatulink *link, uint8_t *packet, uint8_t *packet_bytes,
                                       const uint8_t *message, uint8_t bytes, uint16_t recipient, uint16_t topic)
{
    struct tatulink_header header = {link->next, link->identity, recipient, topic, MESSAGE, link->epoch};

    *packet_bytes = 0;
    if (!link->is_ready) {
        return TATULINK_NOT_PROVISIONED;
    }
    if (link->form.header_bytes != TATULINK_WIDE_HEADER_BYTES && (recipient != TATULINK_EVERYONE || topic != 0)) {
        return TATULINK_NO_RECIPIENT;
    }
    if (bytes > UINT8_MAX - link->form.header_bytes - link->form.tag_bytes) {
        return TATULINK_BAD_LENGTH;
    }
    if (link->next == link->mark.value) {
        enum tatulink_status status = reserve(link);
        if (status != TATULINK_OK) {
            return status;
        }
        header.counter = link->next;
    }
    link->next++;
    *packet_bytes = tatulink_packet_seal(packet, &link->form, link->suite->sealer, link->key, &header, message, bytes);
    return *packet_bytes > 0 ? TATULINK_OK : TATULINK_BAD_LENGTH;
}

enum tatulink_status tatulink_seal(struct tatulink *link, uint8_t *packet, uint8_t *packet_bytes,
                                   const uint8_t *message, uint8_t bytes)
{
    return tatulink_seal_for(link, packet, packet_bytes, message, bytes, TATULINK_EVERYONE, 0);
}

/* The sender's place; for one that is heard for the first time a free place, or NULL. */
static struct tatulink_sender *place_of(struct tatulink *link, uint16_t identity)
{
    struct tatulink_sender *found = 0;

    for (uint8_t place = 0; place < TATULINK_SENDERS; place++) {
        struct tatulink_sender *sender = &link->senders[place];
        if (sender->is_known && sender->identity == identity) {
            return sender;
        }
        if (!sender->is_known && found == 0) {
            found = sender;
        }
    }
    return link->is_damaged ? 0 : found;
}

/* The whole counter that a short header's lowest 16 bits stand for: the first one that is not behind the window. */
static uint32_t whole_counter(const struct tatulink_window *window, uint32_t low)
{
    uint32_t oldest = window->next < TATULINK_WINDOW_COUNTERS ? 0 : window->next - TATULINK_WINDOW_COUNTERS;
    uint32_t whole = (oldest & UINT32_C(0xffff0000)) | low;

    return whole >= oldest ? whole : whole + UINT32_C(0x10000);
}

/* Remembers a counter before its message is given out, so that no reset makes it fresh again. */
static enum tatulink_status remember(struct tatulink *link, struct tatulink_sender *sender, uint16_t identity,
                                     uint32_t counter)
{
    if (!sender->is_known || counter >= sender->mark.value) {
        struct tatulink_ring ring = sender_ring(link->address, (uint8_t)(sender - link->senders));
        uint8_t record[TATULINK_SENDER_RECORD_BYTES];
        put_u16(record, identity);
        if (tatulink_mark_reserve(&sender->mark, &ring, link->storage, record, counter) != TATULINK_MARK_READY) {
            return TATULINK_WORN;
        }
        sender->identity = identity;
        sender->is_known = true;
    }
    tatulink_window_accept(&sender->window, counter);
    return TATULINK_OK;
}

static bool open_with(struct tatulink *link, uint8_t *message, const uint8_t *packet, uint8_t packet_bytes,
                      const struct tatulink_header *header)
{
    return header->counter != TATULINK_NEVER &&
           tatulink_packet_open(message, &link->form, link->suite->opener, link->key, header, packet, packet_bytes);
}

/* Looks for the counter of a packet with a short header further on. */
static bool open_further_on(struct tatulink *link, struct tatulink_sender *sender, uint8_t *message,
                            const uint8_t *packet, uint8_t packet_bytes, struct tatulink_header *header)
{
    uint32_t steps = header->counter >> 16;

    if (steps == UINT16_MAX) {
        return false;
    }
    sender->guess = steps + sender->guess < UINT16_MAX ? (uint16_t)(sender->guess + 1) : 1;
    header->counter += (uint32_t)sender->guess << 16;
    return open_with(link, message, packet, packet_bytes, header);
}

static enum tatulink_status open_packet(struct tatulink *link, uint8_t *message, const uint8_t *packet,
                                        uint8_t packet_bytes, struct tatulink_header *header)
{
    bool is_short = link->form.header_bytes == TATULINK_SHORT_HEADER_BYTES;

    if (!tatulink_packet_read(header, &link->form, link->suite->opener, packet, packet_bytes) ||
        header->type != MESSAGE || header->epoch != link->epoch) {
        return TATULINK_NO_PACKET;
    }
    if (header->sender == link->identity) {
        return TATULINK_OWN_PACKET;
    }
    if (header->recipient != link->identity && header->recipient != TATULINK_EVERYONE) {
        return TATULINK_OTHER_RECIPIENT;
    }
    struct tatulink_sender *sender = place_of(link, header->sender);
    if (sender == 0) {
        return link->is_damaged ? TATULINK_DAMAGED : TATULINK_TOO_MANY_SENDERS;
    }
    if (is_short) {
        header->counter = whole_counter(&sender->window, header->counter);
    }
    enum tatulink_freshness freshness = tatulink_window_check(&sender->window, header->counter);
    if (freshness != TATULINK_FRESH) {
        return freshness == TATULINK_SEEN ? TATULINK_REPLAYED : TATULINK_TOO_OLD;
    }
    if (!open_with(link, message, packet, packet_bytes, header) &&
        !(is_short && open_further_on(link, sender, message, packet, packet_bytes, header))) {
        return TATULINK_FORGED;
    }
    sender->guess = 0;
    return remember(link, sender, header->sender, header->counter);
}

enum tatulink_status tatulink_open(struct tatulink *link, uint8_t *message, uint8_t *bytes, const uint8_t *packet,
                                   uint8_t packet_bytes, struct tatulink_opened *opened)
{
    struct tatulink_header header = {0, 0, TATULINK_EVERYONE, 0, 0, link->epoch};

    *bytes = 0;
    if (!link->is_ready) {
        return TATULINK_NOT_PROVISIONED;
    }
    enum tatulink_status status = open_packet(link, message, packet, packet_bytes, &header);
    uint8_t overhead = (uint8_t)(link->form.header_bytes + link->form.tag_bytes);
    if (status == TATULINK_WORN) {
        memset(message, 0, (size_t)(packet_bytes - overhead));
    }
    if (status != TATULINK_OK) {
        return status;
    }
    *bytes = (uint8_t)(packet_bytes - overhead);
    if (opened != 0) {
        opened->sender = header.sender;
        opened->recipient = header.recipient;
        opened->topic = header.topic;
        opened->counter = header.counter;
    }
    return TATULINK_OK;
}
