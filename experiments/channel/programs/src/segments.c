#include "segments.h"

struct segment *segments_room(struct segments *segments)
{
    if (segments->count == SEGMENTS_WAITING) {
        return NULL;
    }
    return &segments->waiting[(segments->first + segments->count) % SEGMENTS_WAITING];
}

void segments_put(struct segments *segments, size_t length, const struct link_rate *rate, int64_t now)
{
    struct segment *segment = segments_room(segments);
    const double bits = 8.0 * (double)(length + SEGMENT_OVERHEAD_BYTES);
    const int64_t begins_ns = segments->free_ns > now ? segments->free_ns : now;
    segments->free_ns = begins_ns + (int64_t)(bits / rate->bits_per_s * 1e9);
    segment->arrives_ns = segments->free_ns + rate->delay_ns;
    segment->length = length;
    segment->delivered = 0;
    segments->count++;
}

struct segment *segments_next(struct segments *segments)
{
    return segments->count == 0 ? NULL : &segments->waiting[segments->first];
}

void segments_pop(struct segments *segments)
{
    segments->first = (segments->first + 1) % SEGMENTS_WAITING;
    segments->count--;
}
