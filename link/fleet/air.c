#include "fleet/air.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <tatulink/bytes.h>

#include "fleet/fail.h"

#define STATUS_MS 10000U
#define MOST_GARBAGE 20
#define MOST_FORGED_AHEAD 1000

void air_open(struct air *air, const struct options *options, struct output *output)
{
    memset(air, 0, sizeof *air);
    air->options = options;
    air->output = output;
    air->random.state = options->air_seed;
    if (options->log != NULL) {
        air->log = strcmp(options->log, "-") == 0 ? stdout : fopen(options->log, "w");
        if (air->log == NULL) {
            fail("--log %s: %s.", options->log, strerror(errno));
        }
    }
}

static void record(const struct air *air, const struct sent *sent, uint64_t now_ms, const char *fate)
{
    if (air->log == NULL) {
        return;
    }
    fprintf(air->log,
            "{\"ms\":%" PRIu64 ",\"device\":%u,\"epoch\":%u,\"counter\":%" PRIu32 ",\"type\":%u,\"fate\":\"%s\"",
            now_ms, sent->device, sent->epoch, sent->counter, sent->type, fate);
    if (sent->type == FRAME_TYPE_BOOT) {
        fprintf(air->log, ",\"unix_s\":%" PRIu32 ",\"reset_cause\":%u,\"version\":%" PRIu32 ",\"mark\":%" PRIu32,
                sent->unix_s, sent->reset_cause, FIRMWARE_VERSION, sent->mark);
    } else {
        fprintf(air->log,
                ",\"unix_s\":%" PRIu32 ",\"rain_pulses\":%" PRIu32 ",\"temperature_mc\":%" PRId32
                ",\"supply_mv\":%u,\"flags\":%u",
                sent->reading.unix_s, sent->reading.rain_pulses, sent->reading.temperature_mc, sent->reading.supply_mv,
                sent->reading.flags);
    }
    fputs("}\n", air->log);
}

static void send_chunk(struct air *air, bool noise)
{
    uint8_t message[UPLINK_MESSAGE_BYTES];

    air->status.chunks++;
    air->status.bytes += air->chunk.length;
    uint8_t length = uplink_received(message, &air->chunk);
    if (noise) {
        /* Not the zero at the end: the message behind this one must survive. */
        message[random_below(&air->random, length - 1U)] ^= (uint8_t)(1 + random_below(&air->random, 255));
    }
    output_put(air->output, message, length);
}

static void receive(struct air *air, const uint8_t *bytes, size_t length, uint64_t now_ms)
{
    for (size_t i = 0; i < length; i++) {
        if (uplink_add(&air->chunk, bytes[i], (uint32_t)now_ms)) {
            send_chunk(air, false);
        }
    }
}

static void end_burst(struct air *air, bool noise)
{
    air->glued = false;
    if (uplink_gap(&air->chunk)) {
        send_chunk(air, noise);
    }
}

void air_end_burst(struct air *air)
{
    end_burst(air, false);
}

static void receive_garbage(struct air *air, uint64_t now_ms)
{
    uint8_t garbage[MOST_GARBAGE];
    size_t length = 1 + random_below(&air->random, MOST_GARBAGE);

    for (size_t i = 0; i < length; i++) {
        garbage[i] = (uint8_t)random_next(&air->random);
    }
    receive(air, garbage, length, now_ms);
}

/* Some bytes from the middle of the frame, or from one of its ends, are lost. */
static size_t truncate_frame(struct air *air, uint8_t frame[FRAME_BYTES])
{
    size_t lost = 1 + random_below(&air->random, FRAME_BYTES - 1);
    size_t from = random_below(&air->random, (uint32_t)(FRAME_BYTES - lost + 1));

    memmove(frame + from, frame + from + lost, FRAME_BYTES - from - lost);
    return FRAME_BYTES - lost;
}

static void forge(struct air *air, const struct sent *sent, uint64_t now_ms)
{
    struct sent forged = *sent;

    forged.counter += 1 + random_below(&air->random, MOST_FORGED_AHEAD);
    put_u32(forged.frame + 4, forged.counter);
    for (size_t i = FRAME_HEADER_BYTES; i < FRAME_BYTES; i++) {
        forged.frame[i] = (uint8_t)random_next(&air->random);
    }
    receive(air, forged.frame, FRAME_BYTES, now_ms);
    record(air, &forged, now_ms, "forged");
}

static const struct sent *recall(struct air *air)
{
    uint64_t held = air->remembered < AIR_MEMORY ? air->remembered : AIR_MEMORY;
    return &air->memory[random_below(&air->random, (uint32_t)held)];
}

/* The frame itself: one fate, and one line in the log. */
static void carry_frame(struct air *air, const struct sent *sent, uint64_t now_ms, bool noise)
{
    const struct options *options = air->options;
    uint8_t frame[FRAME_BYTES];
    size_t length = FRAME_BYTES;
    const char *fate = noise ? "noise" : "sent";

    memcpy(frame, sent->frame, FRAME_BYTES);
    if (random_chance(&air->random, options->corrupt)) {
        uint32_t bit = random_below(&air->random, 8 * FRAME_BYTES);
        frame[bit / 8] ^= (uint8_t)(1U << bit % 8);
        fate = "corrupted";
    } else if (random_chance(&air->random, options->truncate)) {
        length = truncate_frame(air, frame);
        fate = "truncated";
    }
    receive(air, frame, length, now_ms);
    record(air, sent, now_ms, fate);
}

static void carry_extras(struct air *air, const struct sent *sent, uint64_t now_ms)
{
    const struct options *options = air->options;

    if (random_chance(&air->random, options->duplicate)) {
        air_end_burst(air);
        receive(air, sent->frame, FRAME_BYTES, now_ms);
        record(air, sent, now_ms, "duplicate");
    }
    if (random_chance(&air->random, options->forge)) {
        air_end_burst(air);
        forge(air, sent, now_ms);
    }
    if (air->remembered > 0 && random_chance(&air->random, options->replay)) {
        const struct sent *old = recall(air);
        air_end_burst(air);
        receive(air, old->frame, FRAME_BYTES, now_ms);
        record(air, old, now_ms, "replayed");
    }
}

void air_carry(struct air *air, const struct sent *sent, uint64_t now_ms)
{
    const struct options *options = air->options;

    if (random_chance(&air->random, options->loss)) {
        record(air, sent, now_ms, "lost");
        return;
    }
    bool glue = random_chance(&air->random, options->glue);
    /* A damaged message takes its whole chunk with it: so only a frame that has one to itself can be said to be lost by
     * it. */
    bool noise = random_chance(&air->random, options->noise) && !glue && !air->glued;
    if (random_chance(&air->random, options->garbage)) {
        noise = false;
        receive_garbage(air, now_ms);
    }
    carry_frame(air, sent, now_ms, noise);
    if (!glue) {
        end_burst(air, noise);
    }
    if (!noise) {
        carry_extras(air, sent, now_ms);
        air->memory[air->remembered++ % AIR_MEMORY] = *sent;
    }
    air->glued = glue;
    if (!glue) {
        air_end_burst(air);
    }
}

void air_status(struct air *air, uint64_t now_ms)
{
    uint8_t message[UPLINK_MESSAGE_BYTES];

    if ((int32_t)((uint32_t)now_ms - air->status_due_ms) >= 0) {
        air->status_due_ms += STATUS_MS;
        output_put(air->output, message, uplink_status(message, &air->status, (uint32_t)now_ms));
    }
}

void air_close(struct air *air)
{
    air_end_burst(air);
    if (air->log != NULL) {
        (void)fflush(air->log);
        if (ferror(air->log)) {
            fail("--log %s: could not be written whole.", air->options->log);
        }
    }
}
