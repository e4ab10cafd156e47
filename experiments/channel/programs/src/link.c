/* A link in user space, where the kernel has none to offer: passes TCP connections on, one at a time, at a rate and with a delay.
 *
 *   channel-link LISTEN-PORT TO-PORT BITS-PER-S DELAY-US
 *
 * Both ports are of 127.0.0.1; LISTEN-PORT 0 takes a free one. Bytes are cut into segments of 1448; each takes the time of its bits and
 * of 66 bytes of headers, one after the other, and arrives a delay later: full duplex, without loss, and without TCP's slow start,
 * which both ends do with this program over the loopback. Ends when it is told to (SIGTERM). */
#define _GNU_SOURCE /* ppoll, which waits in nanoseconds, and prctl */

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "problem.h"
#include "segments.h"
#include "transfer.h"

#define PROGRAM "channel-link"
#define CONNECT_NS (5 * NS_A_SECOND)
#define IDLE_NS (600 * NS_A_SECOND)

/* From one socket to the other. */
struct direction {
    struct segments segments;
    int from;
    int to;
    int has_ended; /* `from` will send nothing more */
    int is_told; /* and `to` knows */
};

/* Takes in what there is. Returns -1 when the connection broke. */
static int take(struct direction *direction, const struct link_rate *rate)
{
    for (;;) {
        struct segment *room = segments_room(&direction->segments);
        if (room == NULL) {
            return 0;
        }
        const ssize_t some = recv(direction->from, room->bytes, sizeof room->bytes, 0);
        if (some == 0) {
            direction->has_ended = 1;
            return 0;
        }
        if (some < 0) {
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        }
        segments_put(&direction->segments, (size_t)some, rate, now_ns());
    }
}

/* Hands over what has arrived. Returns 1 if `to` takes no more at the moment, -1 when the connection broke. */
static int deliver(struct direction *direction)
{
    for (;;) {
        struct segment *segment = segments_next(&direction->segments);
        if (segment == NULL || segment->arrives_ns > now_ns()) {
            break;
        }
        const ssize_t some = send(direction->to, segment->bytes + segment->delivered,
                                  segment->length - segment->delivered, MSG_NOSIGNAL);
        if (some < 0) {
            return errno == EAGAIN || errno == EINTR ? 1 : -1;
        }
        segment->delivered += (size_t)some;
        if (segment->delivered == segment->length) {
            segments_pop(&direction->segments);
        }
    }
    if (direction->has_ended && !direction->is_told && direction->segments.count == 0) {
        direction->is_told = 1;
        (void)shutdown(direction->to, SHUT_WR);
    }
    return 0;
}

static void wait_for(struct direction *directions, const int *is_full)
{
    struct pollfd watched[2] = {{directions[0].from, 0, 0}, {directions[1].from, 0, 0}};
    int64_t until_ns = now_ns() + IDLE_NS;
    for (int i = 0; i < 2; i++) {
        struct segment *next = segments_next(&directions[i].segments);
        if (!directions[i].has_ended && segments_room(&directions[i].segments) != NULL) {
            watched[i].events |= POLLIN;
        }
        if (is_full[i]) {
            watched[1 - i].events |= POLLOUT;
        } else if (next != NULL && next->arrives_ns < until_ns) {
            until_ns = next->arrives_ns;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (watched[i].events == 0) {
            watched[i].fd = -1; /* or a peer that hung up would wake this program for ever */
        }
    }
    const int64_t left_ns = until_ns - now_ns();
    if (left_ns > 0) {
        const struct timespec wait = {(time_t)(left_ns / NS_A_SECOND), (long)(left_ns % NS_A_SECOND)};
        (void)ppoll(watched, 2, &wait, NULL);
    }
}

static void pass_on(struct direction *directions, int client, int server, const struct link_rate *rate)
{
    memset(directions, 0, 2 * sizeof directions[0]);
    directions[0].from = directions[1].to = client;
    directions[1].from = directions[0].to = server;
    for (;;) {
        int is_full[2];
        for (int i = 0; i < 2; i++) {
            if (!directions[i].has_ended && take(&directions[i], rate) < 0) {
                return;
            }
            is_full[i] = deliver(&directions[i]);
            if (is_full[i] < 0) {
                return;
            }
        }
        if (directions[0].is_told && directions[1].is_told) {
            return;
        }
        wait_for(directions, is_full);
    }
}

static int number(double *value, const char *text, double least, double most)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

int main(int count, char **arguments)
{
    struct problem problem;
    double ports[2];
    double delay_us;
    struct link_rate rate;
    uint16_t port = 0;
    if (count != 5 || !number(&ports[0], arguments[1], 0, 65535) || !number(&ports[1], arguments[2], 1, 65535) ||
        !number(&rate.bits_per_s, arguments[3], 1000, 1e12) || !number(&delay_us, arguments[4], 0, 1e7)) {
        (void)say(&problem, "usage: %s LISTEN-PORT TO-PORT BITS-PER-S (1000 to 1e12) DELAY-US (0 to 1e7)", PROGRAM);
        return report(PROGRAM, &problem, EXIT_USER_ERROR);
    }
    rate.delay_ns = (int64_t)(delay_us * 1000);
    (void)prctl(PR_SET_TIMERSLACK, 1UL); /* waits end when they are asked to, not 50 us later */
    struct direction *directions = calloc(2, sizeof directions[0]);
    if (directions == NULL) {
        (void)say(&problem, "there is no memory for what is on the way");
        return report(PROGRAM, &problem, EXIT_EXCHANGE_FAILED);
    }
    const int listening = transfer_listen("127.0.0.1", (uint16_t)ports[0], &port, &problem);
    if (listening < 0) {
        free(directions);
        return report(PROGRAM, &problem, EXIT_USER_ERROR);
    }
    printf("{\"listening\": %u}\n", port);
    (void)fflush(stdout);
    for (;;) {
        const int client = transfer_accept(listening, now_ns() + IDLE_NS, &problem);
        if (client < 0) {
            break;
        }
        const int server = transfer_connect("127.0.0.1", (uint16_t)ports[1], now_ns() + CONNECT_NS, &problem);
        if (server < 0) {
            (void)report(PROGRAM, &problem, EXIT_EXCHANGE_FAILED);
        } else {
            pass_on(directions, client, server, &rate);
            (void)close(server);
        }
        (void)close(client);
    }
    free(directions);
    (void)close(listening);
    return report(PROGRAM, &problem, EXIT_EXCHANGE_FAILED);
}
