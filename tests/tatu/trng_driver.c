/* Drivers of hardware noise sources with simulated registers, and the system's entropy with a system that can fail. One
 * command a line on standard input, one answer a line on standard output.
 *
 *   sample KIND FAULT COUNT   -> COUNT results and samples; FAULT: "none", or what begins at which word: "seed@3"
 *   noise KIND FAULT          -> result of tatu_noise_start, result of a read, number of words given, bytes read
 *   system LENGTH FAIL        -> result and output; call FAIL of getentropy fails, 0: none */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tatu/entropy_system.h>
#include <tatu/noise.h>
#include <tatu/trng.h>

#include "entropy/trng/registers.h"

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(2);
}

/* ---- the peripherals ---- */

enum kind { STM32, SAM, NRF, RP2040 };

static uint8_t block[0x600];
static enum kind kind;
static const char *fault;
static uint32_t fault_at;
static int is_on, has_word;
static uint32_t words, waits, settled;

static uint32_t word(void)
{
    const uint32_t product = words * UINT32_C(2654435761);

    return product ^ product >> 15; /* the test computes it too */
}

static int fails(const char *what)
{
    return strcmp(fault, what) == 0 && words >= fault_at;
}

/* Each word is ready at the third look. */
static int is_ready(void)
{
    if (is_on && !has_word && !fails("silent") && ++waits == 3) {
        waits = 0;
        has_word = 1;
    }
    return has_word;
}

static uint32_t take_word(void)
{
    if (!has_word) {
        die("data was read before it was ready");
    }
    has_word = 0;
    return ++words, word();
}

static uint32_t read_register(size_t offset, size_t bytes)
{
    if (kind == STM32 && offset == 0x04) {
        const uint32_t seed = fails("seed") ? 0x44 : fails("seed-past") ? 0x40 : 0;
        const uint32_t clock = fails("clock") ? 0x22 : fails("clock-past") ? 0x20 : 0;
        return (uint32_t)is_ready() | seed | clock;
    }
    if (kind == STM32 && offset == 0x08) {
        return take_word();
    }
    if (kind == SAM && offset == 0x0a && bytes == 1) {
        return (uint32_t)is_ready();
    }
    if (kind == SAM && offset == 0x20) {
        return take_word();
    }
    if (kind == NRF && offset == 0x100) {
        return (uint32_t)is_ready();
    }
    if (kind == NRF && offset == 0x508) {
        has_word = 1; /* the event was cleared, the value stays */
        return take_word() & 0xff;
    }
    if (kind == RP2040 && offset == 0x18) {
        settled++;
        return (fails("unstable") ? 0 : UINT32_C(1) << 31) | (fails("off") ? 0 : UINT32_C(1) << 12);
    }
    if (kind == RP2040 && offset == 0x1c) {
        if (settled < 256) {
            die("two bits are too close");
        }
        settled = 0;
        return ++words, (word() >> 13 & 1) | UINT32_C(0xfffffffe);
    }
    die("no such register to read");
    return 0;
}

static void write_register(size_t offset, uint32_t value, size_t bytes)
{
    if (kind == STM32 && offset == 0x00 && bytes == 4) {
        is_on = value == 4;
    } else if (kind == STM32 && offset == 0x04 && value == 0) {
        has_word = 0;
    } else if (kind == SAM && offset == 0x00 && bytes == 1 && value == 2) {
        is_on = 1;
    } else if (kind == NRF && offset == 0x000 && value == 1) {
        is_on = 1;
    } else if (kind == NRF && offset == 0x100 && value == 0) {
        has_word = 0;
    } else if (kind == NRF && offset == 0x504 && value == 1) {
        settled = 1;
    } else {
        die("no such register to write");
    }
}

uint8_t tatu_internal_read8(const volatile uint8_t *address)
{
    return (uint8_t)read_register((size_t)(address - block), 1);
}

uint32_t tatu_internal_read32(const volatile uint8_t *address)
{
    return read_register((size_t)(address - block), 4);
}

void tatu_internal_write8(volatile uint8_t *address, uint8_t value)
{
    write_register((size_t)(address - block), value, 1);
}

void tatu_internal_write32(volatile uint8_t *address, uint32_t value)
{
    write_register((size_t)(address - block), value, 4);
}

/* ---- the system ---- */

static unsigned calls, failing_call;

int __wrap_getentropy(void *buffer, size_t length);
int __wrap_getentropy(void *buffer, size_t length)
{
    if (length > 256) {
        die("getentropy gives 256 bytes at most");
    }
    memset(buffer, (int)(0x10 + calls), length);
    return ++calls == failing_call ? -1 : 0;
}

/* ---- commands ---- */

static const char *next_word(void)
{
    const char *const found = strtok(NULL, " \n");

    if (found == NULL) {
        die("the command is too short");
    }
    return found;
}

static tatu_noise_function *start(struct tatu_trng *trng)
{
    static void (*const STARTS[])(struct tatu_trng *, volatile uint8_t *) = {
        tatu_trng_stm32_start, tatu_trng_sam_start, tatu_trng_nrf_start, tatu_trng_rp2040_start};
    static tatu_noise_function *const SAMPLES[] = {tatu_trng_stm32_sample, tatu_trng_sam_sample, tatu_trng_nrf_sample,
                                                   tatu_trng_rp2040_sample};
    static const char *const NAMES[] = {"stm32", "sam", "nrf", "rp2040"};
    const char *const name = next_word();
    static char buffer[32];
    char *at;

    for (kind = STM32; strcmp(NAMES[kind], name) != 0; kind++) {
        if (kind == RP2040) {
            die("no such peripheral");
        }
    }
    strncpy(buffer, next_word(), sizeof buffer - 1);
    at = strchr(buffer, '@');
    fault_at = at == NULL ? 0 : (uint32_t)strtoul(at + 1, NULL, 10);
    if (at != NULL) {
        *at = '\0';
    }
    fault = buffer;
    is_on = has_word = 0;
    words = waits = settled = 0;
    STARTS[kind](trng, block);
    return SAMPLES[kind];
}

int main(void)
{
    static char line[1 << 10];

    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *const command = strtok(line, " \n");
        struct tatu_trng trng;

        if (command == NULL) {
            die("an empty command");
        } else if (strcmp(command, "sample") == 0) {
            tatu_noise_function *const take = start(&trng);
            const unsigned long count = strtoul(next_word(), NULL, 10);

            for (unsigned long i = 0; i < count; i++) {
                uint8_t sample = 0xaa;
                const int result = take(&trng, &sample);
                printf("%s%d:%02x", i == 0 ? "" : " ", result, sample);
            }
        } else if (strcmp(command, "noise") == 0) {
            struct tatu_noise noise;
            uint8_t output[40];
            tatu_noise_function *const take = start(&trng);
            const int started = tatu_noise_start(&noise, take, &trng);
            const int read = tatu_noise_read(&noise, output, sizeof output);

            printf("%d %d %lu ", started, read, (unsigned long)words);
            for (size_t i = 0; i < sizeof output; i++) {
                printf("%02x", output[i]);
            }
        } else if (strcmp(command, "system") == 0) {
            static uint8_t output[2000];
            const size_t length = strtoul(next_word(), NULL, 10);
            int result;

            calls = 0;
            failing_call = (unsigned)strtoul(next_word(), NULL, 10);
            memset(output, 0xaa, sizeof output);
            result = tatu_entropy_system_read(NULL, output, length);
            printf("%d ", result);
            for (size_t i = 0; i <= length; i++) {
                printf("%02x", output[i]);
            }
        } else {
            die("no such command");
        }
        printf("\n");
    }
    return 0;
}
