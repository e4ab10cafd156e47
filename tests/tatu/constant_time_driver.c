/* Tests that no branch and no address depends on a secret. Clang's MemorySanitizer stops a program at the first one
 * that depends on uninitialized memory, and follows such data through all computations. The driver marks keys,
 * messages and states as uninitialized and runs every algorithm. With an argument, it looks up a secret in a table,
 * and the sanitizer must stop it. */
#include <string.h>

#include <sanitizer/msan_interface.h>

static void make_secret(void *memory, size_t length)
{
    memset(memory, 0x3c, length);
    __msan_allocated_memory(memory, length);
}

#include "secret_operations.h"

int main(int count, char **arguments)
{
    static const uint8_t table[256] = {1, 2, 3};

    (void)arguments;
    for (size_t i = 0; i < SECRET_OPERATIONS; i++) {
        if (secret_operations[i].run() != TATU_OK) {
            return 3;
        }
    }
    if (count > 1) {
        make_secret(key, sizeof key);
        packet[0] = table[key[0]];
    }
    return 0;
}
