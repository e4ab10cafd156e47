#include "transfer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

#define LONGEST_END_NS (2 * NS_A_SECOND)

static int closed(int socket)
{
    (void)close(socket);
    return -1;
}

/* Waits for an event. Returns 1, or 0 when the deadline has passed, whatever there is then: a peer that never stops sending would put
 * it off for ever. An interrupted wait goes on. */
static int waited(int socket, short events, int64_t deadline_ns, short *happened)
{
    for (;;) {
        const int64_t left_ns = deadline_ns - now_ns();
        struct pollfd watched = {socket, events, 0};
        if (left_ns <= 0) {
            return 0;
        }
        const int64_t left_ms = left_ns / 1000000 + 1;
        const int found = poll(&watched, 1, left_ms > 1000000 ? 1000000 : (int)left_ms);
        if (found > 0) {
            *happened = watched.revents;
            return 1;
        }
    }
}

static int resolved(struct sockaddr_in *place, const char *address, uint16_t port, struct problem *problem)
{
    memset(place, 0, sizeof *place);
    place->sin_family = AF_INET;
    place->sin_port = htons(port);
    if (inet_pton(AF_INET, address, &place->sin_addr) != 1) {
        return say(problem, "'%s' is no IPv4 address; write one like 127.0.0.1", address);
    }
    return 0;
}

static int prepared(int socket)
{
    const int on = 1;
    /* Without Nagle's algorithm (RFC 896): a message ends where it ends, and no timer belongs to what is measured. */
    return setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
           fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) == 0;
}

int transfer_listen(const char *address, uint16_t port, uint16_t *taken, struct problem *problem)
{
    const int on = 1;
    struct sockaddr_in place;
    socklen_t size = sizeof place;
    if (resolved(&place, address, port, problem) != 0) {
        return -1;
    }
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    if (listening < 0) {
        return say(problem, "no socket: %s", strerror(errno));
    }
    /* Connections that ended a moment ago do not keep the port; a program that listens on it does. */
    (void)setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listening, (struct sockaddr *)&place, sizeof place) != 0 || listen(listening, 8) != 0) {
        if (errno == EADDRINUSE) {
            (void)say(problem, "port %u of %s is in use: stop what listens there, or choose another (--port)", port,
                      address);
        } else {
            (void)say(problem, "cannot listen on port %u of %s: %s", port, address, strerror(errno));
        }
        return closed(listening);
    }
    if (getsockname(listening, (struct sockaddr *)&place, &size) != 0 || !prepared(listening)) {
        (void)say(problem, "cannot listen on port %u of %s: %s", port, address, strerror(errno));
        return closed(listening);
    }
    *taken = ntohs(place.sin_port);
    return listening;
}

int transfer_accept(int listening, int64_t deadline_ns, struct problem *problem)
{
    for (;;) {
        short happened = 0;
        if (!waited(listening, POLLIN, deadline_ns, &happened)) {
            return say(problem, "no client connected in time (--timeout-s)");
        }
        const int connection = accept(listening, NULL, NULL);
        if (connection >= 0 && prepared(connection)) {
            return connection;
        }
        if (connection >= 0) {
            (void)close(connection);
        } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
            return say(problem, "no connection could be taken: %s", strerror(errno));
        }
    }
}

int transfer_connect(const char *address, uint16_t port, int64_t deadline_ns, struct problem *problem)
{
    struct sockaddr_in place;
    short happened = 0;
    int error = 0;
    socklen_t size = sizeof error;
    if (resolved(&place, address, port, problem) != 0) {
        return -1;
    }
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connection < 0) {
        return say(problem, "no socket: %s", strerror(errno));
    }
    if (!prepared(connection)) {
        (void)say(problem, "no socket: %s", strerror(errno));
        return closed(connection);
    }
    if (connect(connection, (struct sockaddr *)&place, sizeof place) != 0) {
        if (errno != EINPROGRESS) {
            error = errno;
        } else if (!waited(connection, POLLOUT, deadline_ns, &happened)) {
            (void)say(problem, "port %u of %s did not answer in time (--timeout-s)", port, address);
            return closed(connection);
        } else if (getsockopt(connection, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
            error = errno;
        }
    }
    if (error == ECONNREFUSED) {
        (void)say(problem, "nothing listens on port %u of %s: start the server first", port, address);
        return closed(connection);
    }
    if (error != 0) {
        (void)say(problem, "cannot connect to port %u of %s: %s", port, address, strerror(error));
        return closed(connection);
    }
    return connection;
}

int transfer_send(int socket, const uint8_t *bytes, size_t length, int mind_answers, int64_t deadline_ns,
                  const char *what, struct problem *problem)
{
    size_t sent = 0;
    while (sent < length) {
        short happened = 0;
        if (!waited(socket, mind_answers ? POLLOUT | POLLIN : POLLOUT, deadline_ns, &happened)) {
            return say(problem, "the peer took only %zu of %zu bytes of %s in time (--timeout-s)", sent, length, what);
        }
        if (mind_answers && (happened & POLLIN) != 0) {
            return 1;
        }
        const ssize_t some = send(socket, bytes + sent, length - sent, MSG_NOSIGNAL);
        if (some >= 0) {
            sent += (size_t)some;
        } else if (errno != EAGAIN && errno != EINTR) {
            return say(problem, "the connection broke after %zu of %zu bytes of %s: %s", sent, length, what,
                       strerror(errno));
        }
    }
    return 0;
}

int transfer_receive(int socket, uint8_t *bytes, size_t length, int64_t deadline_ns, const char *what,
                     struct problem *problem)
{
    size_t received = 0;
    while (received < length) {
        short happened = 0;
        if (!waited(socket, POLLIN, deadline_ns, &happened)) {
            return say(problem, "only %zu of %zu bytes of %s came in time (--timeout-s)", received, length, what);
        }
        const ssize_t some = recv(socket, bytes + received, length - received, 0);
        if (some > 0) {
            received += (size_t)some;
        } else if (some == 0) {
            return say(problem, "the peer ended the connection after %zu of %zu bytes of %s", received, length, what);
        } else if (errno != EAGAIN && errno != EINTR) {
            return say(problem, "the connection broke after %zu of %zu bytes of %s: %s", received, length, what,
                       strerror(errno));
        }
    }
    return 0;
}

void transfer_end(int socket)
{
    const int64_t deadline_ns = now_ns() + LONGEST_END_NS;
    uint8_t forgotten[4096];
    short happened = 0;
    (void)shutdown(socket, SHUT_WR);
    while (waited(socket, POLLIN, deadline_ns, &happened)) {
        const ssize_t some = recv(socket, forgotten, sizeof forgotten, 0);
        if (some == 0 || (some < 0 && errno != EAGAIN && errno != EINTR)) {
            break;
        }
    }
    (void)close(socket);
}
