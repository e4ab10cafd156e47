/* For the tests, by LD_PRELOAD: the real-time clock as a machine has it whose operator set it wrong. SHIFTED_CLOCK_S
 * seconds are added; clocks that only count are left alone. SHIFTED_CLOCK_FILE, if given, names a file of eight bytes,
 * seconds to be added to these: who changes them sets the clock of a program that runs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t none;
static const volatile int64_t *more_s = &none;

__attribute__((constructor)) static void map_file(void)
{
    const char *name = getenv("SHIFTED_CLOCK_FILE");
    if (!name) {
        return;
    }
    int file = open(name, O_RDONLY | O_CLOEXEC);
    void *bytes = mmap(NULL, sizeof *more_s, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) {
        abort();
    }
    (void)close(file);
    more_s = bytes;
}

static time_t shift_s(void)
{
    const char *text = getenv("SHIFTED_CLOCK_S");
    return (time_t)((text ? atol(text) : 0) + *more_s);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += shift_s();
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec precise;
    int failed = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *into)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (into) {
        *into = now.tv_sec;
    }
    return now.tv_sec;
}
