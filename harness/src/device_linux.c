/* The board layer for a process under Linux: standard input and output, whole frames at once. */
#include "bancada/device.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <unistd.h>

DEVICE_DEFINE_MARKERS

static uint8_t input[65536];
static size_t input_at;
static size_t input_bytes;
static uint8_t output[65536];
static size_t output_bytes;

void device_init(void)
{
}

/* A crash ends the process, so one that answers never restarted. */
uint16_t device_boot_nonce(void)
{
    return 1;
}

uint8_t device_get(void)
{
    if (input_at == input_bytes) {
        ssize_t bytes = read(STDIN_FILENO, input, sizeof input);
        if (bytes <= 0) {
            exit(EXIT_SUCCESS); /* the host has gone */
        }
        input_at = 0;
        input_bytes = (size_t)bytes;
    }
    return input[input_at++];
}

void device_put(uint8_t byte)
{
    output[output_bytes++] = byte;
    if (byte == 0 || output_bytes == sizeof output) {
        for (size_t sent = 0; sent < output_bytes;) {
            ssize_t bytes = write(STDOUT_FILENO, output + sent, output_bytes - sent);
            if (bytes <= 0) {
                exit(EXIT_FAILURE);
            }
            sent += (size_t)bytes;
        }
        output_bytes = 0;
    }
}

int device_entropy(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    return getrandom(bytes, length, 0) == (ssize_t)length ? 0 : -1;
}

#if defined(__aarch64__) && !defined(__ARM_FEATURE_CRYPTO)

/* Linux's bits for AES, PMULL, SHA-1 and SHA-2 (arch/arm64/include/uapi/asm/hwcap.h). */
#define HWCAP_CRYPTOGRAPHY (0xfUL << 3)

unsigned long __getauxval(unsigned long type); /* the C library's own name for it */

/* Libraries ask Linux what the processor has. The emulated one has instructions for cryptography even where the
 * device that firmware is compiled for was built without them, as the Raspberry Pi 3 was. */
unsigned long getauxval(unsigned long type)
{
    unsigned long value = __getauxval(type);
    return type == AT_HWCAP ? value & ~HWCAP_CRYPTOGRAPHY : value;
}

#endif

void device_waiting(void)
{
}
