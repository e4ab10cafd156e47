#include "fleet/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "fleet/fail.h"

#define BITS_A_BYTE 10 /* start, eight, stop */

uint64_t output_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* A signal ends the wait: the caller looks whether it was meant to end. */
void output_sleep_until_ns(uint64_t time_ns)
{
    struct timespec until;
    until.tv_sec = (time_t)(time_ns / UINT64_C(1000000000));
    until.tv_nsec = (long)(time_ns % UINT64_C(1000000000));
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static void make_raw(int file, const char *name)
{
    struct termios settings;
    if (tcgetattr(file, &settings) != 0) {
        fail("%s: %s.", name, strerror(errno));
    }
    cfmakeraw(&settings);
    cfsetspeed(&settings, B115200);
    if (tcsetattr(file, TCSANOW, &settings) != 0) {
        fail("%s: %s.", name, strerror(errno));
    }
}

static void open_terminal(struct output *output, const char *link)
{
    output->file = posix_openpt(O_RDWR | O_NOCTTY);
    if (output->file < 0 || grantpt(output->file) != 0 || unlockpt(output->file) != 0) {
        fail("no pseudo-terminal to be had: %s.", strerror(errno));
    }
    const char *name = ptsname(output->file);
    output->terminal = open(name, O_RDWR | O_NOCTTY);
    if (output->terminal < 0) {
        fail("%s: %s.", name, strerror(errno));
    }
    make_raw(output->terminal, name);
    /* Made under another name and renamed, so that a reader never finds the old one gone and the new one not there. */
    char fresh[4096];
    size_t length = strlen(link);
    if (length + 5 > sizeof fresh) {
        fail("--pty: the name is too long.");
    }
    memcpy(fresh, link, length);
    memcpy(fresh + length, ".new", 5);
    (void)unlink(fresh);
    if (symlink(name, fresh) != 0 || rename(fresh, link) != 0) {
        fail("--pty %s: %s.", link, strerror(errno));
    }
    output->link = link;
    output->name = link;
}

void output_open(struct output *output, const struct options *options)
{
    memset(output, 0, sizeof *output);
    output->terminal = -1;
    output->baud = options->baud;
    if (options->pty != NULL) {
        open_terminal(output, options->pty);
    } else if (strcmp(options->output, "-") == 0) {
        output->file = STDOUT_FILENO;
        output->name = "standard output";
    } else {
        output->name = options->output;
        output->file = open(options->output, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0666);
        if (output->file < 0) {
            fail("--output %s: %s.", options->output, strerror(errno));
        }
        if (isatty(output->file)) {
            make_raw(output->file, options->output);
        }
    }
}

static void write_all(struct output *output, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(output->file, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written < 0 && errno != EINTR) {
            fail("%s: %s.", output->name, errno == EPIPE ? "the reader has gone" : strerror(errno));
        }
    }
}

void output_flush(struct output *output)
{
    if (output->baud != 0 && output->held != 0) {
        uint64_t now_ns = output_now_ns();
        if (output->free_ns > now_ns) {
            output_sleep_until_ns(output->free_ns);
        } else {
            output->free_ns = now_ns;
        }
        output->free_ns += output->held * BITS_A_BYTE * UINT64_C(1000000000) / output->baud;
    }
    write_all(output, output->bytes, output->held);
    output->held = 0;
}

void output_put(struct output *output, const uint8_t *bytes, size_t length)
{
    if (output->held + length > sizeof output->bytes) {
        output_flush(output);
    }
    memcpy(output->bytes + output->held, bytes, length);
    output->held += length;
    /* A slow line gets its bytes in portions of 20 ms, not all at once and then nothing. */
    if (output->baud != 0 && output->held >= output->baud / BITS_A_BYTE / 50) {
        output_flush(output);
    }
}

/* A terminal that is closed drops what its reader has not read yet. No call tells exactly when everything was read:
 * FIONREAD and poll see the 4 KiB of the line discipline, and the kernel refills those only when the reader's own call
 * ends. So the terminal must have been empty for a whole second, many times what any reader stays inside one call. */
static void wait_until_read(const struct output *output)
{
    struct pollfd unread = {output->terminal, POLLIN, 0};
    for (int empty = 0; empty < 100; empty++) {
        if (poll(&unread, 1, 0) == 1 && (unread.revents & POLLIN) != 0) {
            empty = 0;
        }
        struct timespec pause = {0, 10000000};
        if (nanosleep(&pause, NULL) != 0) {
            return;
        }
    }
}

void output_close(struct output *output, bool wait)
{
    output_flush(output);
    if (output->link != NULL) {
        if (wait) {
            wait_until_read(output);
        }
        (void)unlink(output->link);
    }
    (void)close(output->file);
}
