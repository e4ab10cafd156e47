/* The board layer of the audit on the host: a process under Linux, whose secrets are undefined for valgrind whenever
 * a region begins. BANCADA_SECRETS in the environment names them: buffer:offset:length, separated by commas. */
#include "bancada/device.h"
#include "bancada/operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/memcheck.h>

static void mark_secrets(void)
{
    const char *at = getenv("BANCADA_SECRETS");
    while (at != NULL && *at != '\0') {
        unsigned int number;
        unsigned int offset;
        unsigned int length;
        if (sscanf(at, "%u:%u:%u", &number, &offset, &length) != 3) {
            abort();
        }
        struct buffer buffer = operations_buffer((uint8_t)number);
        if (buffer.bytes == NULL || offset > buffer.size || length > buffer.size - offset) {
            abort();
        }
        VALGRIND_MAKE_MEM_UNDEFINED(buffer.bytes + offset, length);
        at = strchr(at, ',');
        at = at == NULL ? NULL : at + 1;
    }
}

/* The markers of every process, with the secrets marked in the one that begins a region. */
#undef DEVICE_DEFINE_MARKERS
#define DEVICE_DEFINE_MARKERS                                         \
    __attribute__((noinline, noclone)) void device_region_begin(void) \
    {                                                                 \
        mark_secrets();                                               \
    }                                                                 \
    __attribute__((noinline, noclone)) void device_region_end(void)   \
    {                                                                 \
        __asm__ __volatile__("" : : : "memory");                      \
    }

#include "device_linux.c"
