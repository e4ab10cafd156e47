/* Programs whose counts are known by arithmetic. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION __attribute__((noinline, noclone))

/* Calls itself 2 F(n + 1) - 1 times in all, F being Fibonacci's numbers. */
FUNCTION uint32_t fibonacci(uint32_t n)
{
    uint32_t sum = 0;
    if (n < 2) {
        sum = n;
    } else {
        sum = fibonacci(n - 1);
        __asm__ volatile("" : "+r"(sum));
        sum += fibonacci(n - 2);
    }
    __asm__ volatile("" : "+r"(sum));
    return sum;
}

/* Goes n times through its loop. */
FUNCTION uint32_t loop(uint32_t n)
{
    uint32_t sum = 0;
    do {
        sum = sum * 5 + n;
        __asm__ volatile("" : "+r"(sum));
    } while (--n != 0);
    return sum;
}

FUNCTION uint32_t jumps_to_loop(uint32_t n)
{
    return loop(n + 1);
}

FUNCTION void crash(int argument)
{
    *(volatile uint32_t *)(uintptr_t)argument = 1;
}

FUNCTION void hang(void)
{
    for (;;) {
        __asm__ volatile("");
    }
}

FUNCTION void marker_begin(void)
{
    __asm__ volatile("");
}

FUNCTION void marker_end(void)
{
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    int what = argc > 1 ? atoi(argv[1]) : 0;
    uint32_t sum = 0;
    if (what == 1) {
        crash(what);
    } else if (what == 2) {
        hang();
    }
    marker_begin();
    sum += loop(1000);
    marker_end();
    sum += fibonacci(20);
    sum += loop(7);
    sum += jumps_to_loop(8);
    (void)printf("%lu\n", (unsigned long)sum);
    return 0;
}
