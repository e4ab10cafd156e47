/* A Linux program as people have it: it reads its input, may start a thread, and calls what is in a library. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[4096];
static volatile unsigned sink;

__attribute__((noinline)) unsigned adds(unsigned times)
{
    unsigned sum = 0;
    for (; times > 0; times--) {
        sum += times;
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

__attribute__((noinline)) unsigned calls_library(void)
{
    return (unsigned)strlen(line);
}

__attribute__((noinline)) static void *in_thread(void *nothing)
{
    (void)adds(10);
    return nothing;
}

int main(int count, char **words)
{
    pthread_t thread;
    (void)words;
    if (count > 1 && (pthread_create(&thread, NULL, in_thread, NULL) != 0 || pthread_join(thread, NULL) != 0)) {
        return 1;
    }
    if (fgets(line, sizeof line, stdin) == NULL) {
        return 2;
    }
    sink = adds((unsigned)atoi(line)) + calls_library();
    return 0;
}
