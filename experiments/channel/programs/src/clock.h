/* The clock of all time stamps: CLOCK_MONOTONIC, which cannot be set (POSIX.1-2008, clock_gettime). */
#ifndef CHANNEL_CLOCK_H
#define CHANNEL_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_A_SECOND 1000000000LL

static inline int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for a clock that the system has */
    return (int64_t)now.tv_sec * NS_A_SECOND + now.tv_nsec;
}

#endif
