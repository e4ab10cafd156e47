/* Every way from one block to another, in a program that needs no operating system: branches through registers and tables, functions
 * called from many places, code entered in its middle, code that is translated again. */
#include <stdint.h>

#define FUNCTION __attribute__((noinline, noclone))

volatile uint32_t sink;
volatile uint32_t amount = 48;

/* Returns from two places, to as many as call it. */
FUNCTION uint32_t leaf(uint32_t n)
{
    if (n % 3 == 0) {
        sink = n;
        return n * 7;
    }
    __asm__ volatile("" : "+r"(n));
    return n + 1;
}

FUNCTION uint32_t other_leaf(uint32_t n)
{
    __asm__ volatile("" : "+r"(n));
    return n ^ 5;
}

FUNCTION uint32_t third_leaf(uint32_t n)
{
    return leaf(n + 2) + 1;
}

FUNCTION void many_callers(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 100; i++) {
        sum += leaf(i);
        sum += leaf(sum);
        sum ^= leaf(i + 1);
        if (i % 4 != 0) {
            sum += leaf(sum + i);
        }
        sum += leaf(sum + 9);
    }
    sink = sum;
}

uint32_t (*const volatile leaves[4])(uint32_t) = {leaf, other_leaf, third_leaf, other_leaf};

/* The same functions through pointers and by name. */
FUNCTION void through_registers(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 200; i++) {
        sum += leaves[(i * i + sum) % 4](i);
        if (i % 7 == 2) {
            sum += other_leaf(sum);
        }
    }
    sink = sum;
}

/* A table of places in the function itself, some of which are also gone on to from the place before, or jumped to by name. */
FUNCTION void through_a_table(void)
{
    static void *const places[5] = {&&add, &&multiply, &&shift, &&again, &&add};
    uint32_t sum = 1;
    uint32_t i = 0;
again:
    if (i >= 300) {
        sink = sum;
        return;
    }
    i++;
    if (i % 11 == 0) {
        goto shift;
    }
    __asm__ volatile("" : "+r"(sum));
    goto *places[(sum + i) % 5];
add:
    sum += i;
    __asm__ volatile("" : "+r"(sum));
multiply:
    sum *= 3;
    __asm__ volatile("" : "+r"(sum));
shift:
    sum ^= sum >> 5;
    __asm__ volatile("" : "+r"(sum));
    goto again;
}

/* Loops within a loop: one block that follows itself, and one entered in its middle, from before it and from outside. */
FUNCTION void into_the_middle(void)
{
#if defined(__aarch64__)
    __asm__ volatile("mov w0, #9\n\tmov w2, #0\n"
                     "1: mov w1, #5\n\tcbz w0, 4f\n\ttbnz w0, #0, 3f\n"
                     "2: add w2, w2, #1\n"
                     "3: add w2, w2, #3\n\tsubs w1, w1, #1\n\tb.ne 2b\n"
                     "5: subs w2, w2, #1\n\tb.ne 5b\n\tsub w0, w0, #1\n\tb 1b\n"
                     "4:"
                     :
                     :
                     : "x0", "x1", "x2", "cc");
#else
    __asm__ volatile("movs r0, #9\n\tmovs r2, #0\n"
                     "1: movs r1, #5\n\tcmp r0, #0\n\tbeq 4f\n\ttst r0, #1\n\tbne 3f\n"
                     "2: adds r2, r2, #1\n"
                     "3: adds r2, r2, #3\n\tsubs r1, r1, #1\n\tbne 2b\n"
                     "5: subs r2, r2, #1\n\tbne 5b\n\tsubs r0, r0, #1\n\tb 1b\n"
                     "4:"
                     :
                     :
                     : "r0", "r1", "r2", "cc");
#endif
}

/* A function in a page with data that is written: QEMU forgets what it translated of the page, each time. */
__attribute__((section(".text.changing"), aligned(4096))) FUNCTION uint32_t forgotten(uint32_t n)
{
    uint32_t sum = 0;
    do {
        sum += n;
        __asm__ volatile("" : "+r"(sum));
    } while (--n != 0);
    return sum;
}

__attribute__((section(".text.changing"), naked, aligned(16))) void in_the_same_page(void)
{
    __asm__ volatile(".word 0\n\t.balign 4096");
}

FUNCTION void translated_again(void)
{
    volatile uint32_t *data = (volatile uint32_t *)((uintptr_t)in_the_same_page & ~(uintptr_t)3);
    for (uint32_t i = 1; i < 40; i++) {
        sink = forgotten(i);
        *data = i;
    }
}

/* The tenth and further arguments are stored through SP, in blocks that do not move it. */
FUNCTION uint32_t twelve(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t f, uint32_t g, uint32_t h,
                         uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    return a + b + c + d + e + f + g + h + i + j * k * l;
}

FUNCTION uint32_t recursive(uint32_t n)
{
    volatile uint8_t frame[72];
    frame[n] = 1;
    return n == 0 ? twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) : recursive(n - 1) + frame[n];
}

/* SP that is known, then known at run time only, then found again by accesses of blocks that leave it where it is. */
FUNCTION void stack_found_again(void)
{
    volatile uint8_t frame[amount];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 6; i++) {
        frame[i] = (uint8_t)i;
        sum += twelve(i, 2, 3, i, 5, 6, 7, i, 9, sum, 11, i);
        if (i % 2 == 1) {
            sum += recursive(i);
        }
    }
    sink = sum + frame[2];
}

/* An SP that only accesses of blocks tell that leave it where it is: one before a register is taken from it, one after. */
FUNCTION void stack_told(void)
{
#if defined(__aarch64__)
    __asm__ volatile("ldr x1, [sp]\n\tb 1f\n"
                     "1: mov x0, #64\n\tsub sp, sp, x0\n\tb 2f\n"
                     "2: str x0, [sp]\n\tb 3f\n"
                     "3: add sp, sp, x0"
                     :
                     :
                     : "x0", "x1", "memory");
#else
    __asm__ volatile("ldr r1, [sp, #0]\n\tb 1f\n"
                     "1: movs r0, #64\n\tmov r1, sp\n\tsubs r1, r1, r0\n\tmov sp, r1\n\tb 2f\n"
                     "2: str r0, [sp, #0]\n\tb 3f\n"
                     "3: add sp, sp, r0"
                     :
                     :
                     : "r0", "r1", "cc", "memory");
#endif
}

/* A frame that is too large for an immediate: an AArch64 moves its size into a register first, before any access. */
FUNCTION void stack_of_a_large_frame(void)
{
    volatile uint8_t frame[5000];
    frame[17] = (uint8_t)amount;
    sink = twelve(1, 2, 3, frame[17], 5, 6, 7, 8, 9, 10, 11, 12);
}

/* `pong` is called from one place, again while it has not returned there yet. */
FUNCTION uint32_t pong(uint32_t n);

FUNCTION uint32_t ping(uint32_t n)
{
    return pong(n) + 1;
}

FUNCTION uint32_t pong(uint32_t n)
{
    return n == 0 ? 3 : ping(n - 1) * 5;
}

FUNCTION void there_and_back(void)
{
    sink = ping(6);
}

/* Two places in a loop of ten, in front of the sixth and of the second of its seven instructions. */
FUNCTION void marked(void)
{
#if defined(__aarch64__)
    __asm__ volatile(
        "mov w0, #10\n"
        "1: add w1, w1, #1\n\t.global early\nearly: add w1, w1, #2\n\tadd w1, w1, #3\n\tadd w1, w1, #4\n\tadd w1, w1, #5\n"
        "\t.global late\nlate: subs w0, w0, #1\n\tb.ne 1b"
        :
        :
        : "x0", "x1", "cc");
#else
    __asm__ volatile(
        "movs r0, #10\n"
        "1: adds r1, r1, #1\n\t.global early\nearly: adds r1, r1, #2\n\tadds r1, r1, #3\n\tadds r1, r1, #4\n\tadds r1, r1, #5\n"
        "\t.global late\nlate: subs r0, r0, #1\n\tbne 1b"
        :
        :
        : "r0", "r1", "cc");
#endif
}

uint8_t stack[16384] __attribute__((aligned(16)));

__attribute__((used)) void run(void)
{
    many_callers();
    through_registers();
    through_a_table();
    into_the_middle();
    translated_again();
    stack_found_again();
    stack_told();
    stack_of_a_large_frame();
    there_and_back();
    marked();
    for (;;) {
    }
}

#if defined(__aarch64__)
#define SET_STACK "ldr x0, =stack + 16384\n\tmov sp, x0\n\tb run"
#else
#define SET_STACK "ldr r0, =stack + 16384\n\tmov sp, r0\n\tb run"
#endif

__attribute__((naked, noreturn, used)) void _start(void)
{
    __asm__ volatile(SET_STACK);
}
