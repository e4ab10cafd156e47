/* One direction of a link: segments on their way, each with the moment at which it arrives. */
#ifndef CHANNEL_SEGMENTS_H
#define CHANNEL_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

/* The payload of a full Ethernet frame over TCP with time stamps (1500 - 20 - 32), and what frames it: Ethernet 14, IPv4 20, TCP 32. */
#define SEGMENT_PAYLOAD_BYTES 1448
#define SEGMENT_OVERHEAD_BYTES 66

/* The most bytes that wait at the slow end. When it is full, no byte is read, and TCP stops the sender. */
#define SEGMENTS_WAITING 1024

struct segment {
    int64_t arrives_ns;
    size_t length;
    size_t delivered;
    uint8_t bytes[SEGMENT_PAYLOAD_BYTES];
};

struct segments {
    struct segment waiting[SEGMENTS_WAITING];
    size_t first;
    size_t count;
    int64_t free_ns; /* when the link has sent what it was given so far */
};

struct link_rate {
    double bits_per_s;
    int64_t delay_ns;
};

/* Where the next segment's bytes go; NULL while there is no room. */
struct segment *segments_room(struct segments *segments);

/* Puts `length` bytes, which are in that room, on the link: they leave when it is free and arrive a delay later. */
void segments_put(struct segments *segments, size_t length, const struct link_rate *rate, int64_t now);

/* The segment that arrives next, NULL if nothing is on its way. */
struct segment *segments_next(struct segments *segments);

/* That one has been handed over. */
void segments_pop(struct segments *segments);

#endif
