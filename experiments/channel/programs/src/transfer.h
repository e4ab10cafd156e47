/* TCP with deadlines: no wait is without bound, and what ends one is said. */
#ifndef CHANNEL_TRANSFER_H
#define CHANNEL_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* Listens on an IPv4 address and port; 0 takes a free one. Returns the socket, or -1. */
int transfer_listen(const char *address, uint16_t port, uint16_t *taken, struct problem *problem);

/* The next connection before the deadline (now_ns). Returns the socket, or -1. */
int transfer_accept(int listening, int64_t deadline_ns, struct problem *problem);

/* Connects before the deadline. Returns the socket, or -1. */
int transfer_connect(const char *address, uint16_t port, int64_t deadline_ns, struct problem *problem);

/* Sends all of it. Returns 0 or -1; with `mind_answers` also 1, if the peer answered or went away before it had everything: then stop
 * and read. */
int transfer_send(int socket, const uint8_t *bytes, size_t length, int mind_answers, int64_t deadline_ns,
                  const char *what, struct problem *problem);

/* Receives all of it. */
int transfer_receive(int socket, uint8_t *bytes, size_t length, int64_t deadline_ns, const char *what,
                     struct problem *problem);

/* Ends the connection so that what was sent arrives: a socket that is closed with something unread resets the connection, and the
 * peer loses what it had not read. Takes in and forgets, for two seconds at most. */
void transfer_end(int socket);

#endif
