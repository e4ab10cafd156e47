/* Tests that no branch and no address depends on a secret. Clang's MemorySanitizer stops a program at the first one
 * that depends on uninitialized memory; valgrind reports them. The driver marks keys, messages and states as
 * uninitialized and runs every algorithm. With the argument "look-up" it looks up a secret in a table, and with "carry"
 * it branches on the carry of a secret sum: that must be noticed. The sanitizer takes no notice of carries, valgrind
 * does. */
#include <string.h>

#if defined(UNDER_VALGRIND)
#include <valgrind/memcheck.h>
#define MARK VALGRIND_MAKE_MEM_UNDEFINED
#define UNMARK VALGRIND_MAKE_MEM_DEFINED
#else
#include <sanitizer/msan_interface.h>
#define MARK __msan_allocated_memory
#define UNMARK __msan_unpoison
#endif

static void make_secret(void *memory, size_t length)
{
    memset(memory, 0x3c, length);
    (void)MARK(memory, length);
}

/* What the library says is public (tatu/src/common/declassify.h). */
void test_declassify(void *memory, size_t length)
{
    (void)UNMARK(memory, length);
}

#include "secret_operations.h"

int main(int count, char **arguments)
{
    static const uint8_t table[256] = {1, 2, 3};

    for (size_t i = 0; i < SECRET_OPERATIONS; i++) {
        if (secret_operations[i].run() != TATU_OK) {
            return 3;
        }
    }
    make_secret(key, sizeof key);
    if (count > 1 && strcmp(arguments[1], "look-up") == 0) {
        packet[0] = table[key[0]];
    }
    if (count > 1 && strcmp(arguments[1], "carry") == 0 && (uint16_t)(key[0] + key[1]) >> 8 != 0) {
        packet[0] = table[0];
    }
    return 0;
}
