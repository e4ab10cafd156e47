/* Functions of many shapes in a program that needs no operating system, so that another emulator can run it too, with its stack at
 * the same addresses. */
#include <stddef.h>
#include <stdint.h>
#include <tatu/aes.h>
#include <tatu/sha256.h>
#include <tatu/speck.h>

#define FUNCTION __attribute__((noinline, noclone))

uint8_t key[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
uint8_t block[16] = {9, 8, 7};
uint8_t message[150] = {3, 1, 4, 1, 5};
uint8_t digest[32];
volatile uint32_t amount = 40;
struct tatu_aes128 aes;
struct tatu_speck128_256 speck;

FUNCTION void aes_set_key(void)
{
    tatu_aes128_set_key(&aes, key);
}

FUNCTION void aes_encrypt(void)
{
    tatu_aes128_encrypt(&aes, block, block);
}

FUNCTION void speck_all(void)
{
    tatu_speck128_256_set_key(&speck, key);
    tatu_speck128_256_encrypt(&speck, block, block);
}

FUNCTION void sha256(void)
{
    tatu_sha256(digest, message, sizeof message);
}

/* A frame of its own size at each depth, part of it never touched, and one whose size is known only when it runs. */
FUNCTION uint32_t deep(uint32_t n)
{
    volatile uint8_t frame[600];
    frame[n] = (uint8_t)n;
    if (n == 0) {
        return frame[0];
    }
    return deep(n - 1) + frame[n];
}

FUNCTION uint32_t varying(uint32_t n)
{
    volatile uint8_t frame[n];
    frame[n / 2] = 1;
    return deep(2) + frame[n / 2];
}

/* Two pages of instructions of every length, at every place at the ends of pages. */
FUNCTION void pages(void)
{
#if defined(__aarch64__)
    __asm__ volatile(".rept 2500\n\tadd x0, x0, #1\n\t.endr" : : : "x0");
#else
    __asm__ volatile(
        ".rept 900\n\tmovs r0, #1\n\tadd r0, r0, #65536\n\tmovs r0, #1\n\tadd r0, r0, r0, lsl #7\n\tadds r0, r0, #3\n\t.endr"
        :
        :
        : "r0", "cc");
#endif
}

FUNCTION void frames(void)
{
    amount = deep(5) + varying(amount) + deep(1);
}

uint8_t stack[16384] __attribute__((aligned(16)));

__attribute__((used)) void run(void)
{
    aes_set_key();
    aes_encrypt();
    speck_all();
    sha256();
    pages();
    frames();
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

/* The compiler may call these whatever it is told. */
void *memcpy(void *to, const void *from, size_t length)
{
    volatile uint8_t *output = to;
    const uint8_t *input = from;
    while (length-- != 0) {
        *output++ = *input++;
    }
    return to;
}

void *memset(void *to, int value, size_t length)
{
    volatile uint8_t *output = to;
    while (length-- != 0) {
        *output++ = (uint8_t)value;
    }
    return to;
}
