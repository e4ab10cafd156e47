/* A program for a Cortex-M0 on the emulated board, beside bare_metal.c: vectors, reset, faults, and semihosting (Arm,
 * "Semihosting for AArch32 and AArch64", chapter 6) for input and output. The loader of QEMU fills the memory. */
#include <stddef.h>
#include <stdint.h>

#define STOPPED_BY_APPLICATION 0x20026

enum operation { OPEN = 1, WRITE = 5, READ = 6, EXIT_EXTENDED = 0x20 };

void _start(void);
void hard_fault(void);
int board_call(int number, int a, const void *b, size_t c);

extern uint8_t stack_end[]; /* a symbol of the linker's command line: the end of the RAM */

const void *const vectors[4]
    __attribute__((section(".vectors"), used)) = {stack_end, (const void *)_start, NULL, (const void *)hard_fault};

static uintptr_t semihosting(enum operation operation, const void *arguments)
{
    register uintptr_t r0 __asm__("r0") = (uintptr_t)operation;
    register const void *r1 __asm__("r1") = arguments;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uintptr_t console(uintptr_t mode)
{
    const uintptr_t arguments[] = {(uintptr_t)":tt", mode, 3};

    return semihosting(OPEN, arguments);
}

/* What bare_metal.c asks Linux for: 1 exit, 3 read, 4 write. */
int board_call(int number, int a, const void *b, size_t c)
{
    static uintptr_t input, output;

    if (number == 1) {
        const uintptr_t arguments[] = {STOPPED_BY_APPLICATION, (uintptr_t)a};
        (void)semihosting(EXIT_EXTENDED, arguments);
    }
    if (output == 0) {
        input = console(0);
        output = console(4);
    }
    const uintptr_t arguments[] = {number == 3 ? input : output, (uintptr_t)b, c};
    return (int)(c - semihosting(number == 3 ? READ : WRITE, arguments));
}

void hard_fault(void)
{
    (void)board_call(4, 1, "hard fault\n", 11);
    (void)board_call(1, 77, NULL, 0);
}
