/* The board layer for Cortex-M in an emulator: bytes go to and from the host by semihosting (Arm, "Semihosting for
 * AArch32 and AArch64", section 5), whole frames at once. */
#include <stddef.h>
#include <string.h>

#include "bancada/device.h"

DEVICE_DEFINE_MARKERS

enum semihosting { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT = 0x18 };
enum open_mode { OPEN_READ = 0, OPEN_READ_BINARY = 1, OPEN_WRITE = 4 };

#define FAILED 0xffffffffUL

#define REASON_APPLICATION_EXIT 0x20026UL

static uint32_t input_handle;
static uint32_t output_handle;
static uint8_t input[256];
static size_t input_at;
static size_t input_bytes;
static uint8_t output[256];
static size_t output_bytes;

static uint32_t ask(uint32_t operation, const void *arguments)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ __volatile__("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uint32_t open_file(const char *name, uint32_t mode)
{
    const uint32_t arguments[] = {(uint32_t)name, mode, (uint32_t)strlen(name)};
    return ask(SYS_OPEN, arguments);
}

void device_init(void)
{
    input_handle = open_file(":tt", OPEN_READ);
    output_handle = open_file(":tt", OPEN_WRITE);
}

/* A crash ends the emulator, so a device that answers never restarted. */
uint16_t device_boot_nonce(void)
{
    return 1;
}

uint8_t device_get(void)
{
    if (input_at == input_bytes) {
        const uint32_t arguments[] = {input_handle, (uint32_t)input, sizeof input};
        input_at = 0;
        input_bytes = sizeof input - ask(SYS_READ, arguments); /* the result is the number of bytes not read */
        if (input_bytes == 0) {
            (void)ask(SYS_EXIT, (const void *)REASON_APPLICATION_EXIT);
        }
    }
    return input[input_at++];
}

void device_put(uint8_t byte)
{
    output[output_bytes++] = byte;
    if (byte == 0 || output_bytes == sizeof output) {
        const uint32_t arguments[] = {output_handle, (uint32_t)output, output_bytes};
        (void)ask(SYS_WRITE, arguments);
        output_bytes = 0;
    }
}

int device_entropy(void *state, uint8_t *bytes, size_t length)
{
    static uint32_t handle;
    (void)state;
    if (handle == 0) {
        handle = open_file("/dev/urandom", OPEN_READ_BINARY);
    }
    const uint32_t arguments[] = {handle, (uint32_t)bytes, length};
    return handle != FAILED && ask(SYS_READ, arguments) == 0 ? 0 : -1;
}

void device_waiting(void)
{
}
