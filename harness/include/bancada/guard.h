/* Guard bytes around what a library may write.
 *
 * The firmware that is measured has them behind its buffers: set before the first call, looked at when conformance ends.
 *
 * The firmware that checks calls, which is built with BANCADA_CHECKED and never measured, has them on both sides, put
 * before each call and looked at after it. A file operations.c declares a buffer that a library writes with
 * CHECKED_BUFFER, puts GUARD_IN_FRONT in front of the library's own objects, and says in operations_guarded what each
 * operation may write. GUARD_NAMES names those places in the order of their numbers, for the host, in a section of the
 * ELF file. */
#ifndef BANCADA_GUARD_H
#define BANCADA_GUARD_H

#include <stddef.h>
#include <stdint.h>

#include "bancada/buffer.h"

#define GUARD_BYTES 8
#define GUARD_VALUE 0xa5

static inline void guard_set(uint8_t guard[GUARD_BYTES])
{
    for (uint8_t i = 0; i < GUARD_BYTES; i++) {
        guard[i] = GUARD_VALUE;
    }
}

static inline uint8_t guard_holds(const uint8_t guard[GUARD_BYTES])
{
    uint8_t different = 0;
    for (uint8_t i = 0; i < GUARD_BYTES; i++) {
        different |= guard[i] ^ GUARD_VALUE;
    }
    return different == 0;
}

#if defined(BANCADA_CHECKED)

/* So many that what is guarded begins where any type of the machine may. */
#if __BIGGEST_ALIGNMENT__ > GUARD_BYTES
#define GUARD_IN_FRONT_BYTES __BIGGEST_ALIGNMENT__
#else
#define GUARD_IN_FRONT_BYTES GUARD_BYTES
#endif

#define GUARD_IN_FRONT __attribute__((aligned)) uint8_t guard_in_front[GUARD_IN_FRONT_BYTES];

#define CHECKED_BUFFER(name, bytes)                                         \
    BUFFER name##_and_guards[GUARD_IN_FRONT_BYTES + (bytes) + GUARD_BYTES]; \
    static uint8_t *const name = name##_and_guards + GUARD_IN_FRONT_BYTES

/* At most 8 names, with commas between them. */
#define GUARD_NAMES(names)                                    \
    __asm__(".pushsection .bancada.guards,\"\",%progbits\n\t" \
            ".asciz \"" names "\"\n\t"                        \
            ".popsection")

/* What is done with a place: its number, where it begins, and how much of it the operation may write. */
typedef void (*guarded_action)(uint8_t number, uint8_t *bytes, size_t length);

/* Does that with each place that the operation may write. */
#if defined(__cplusplus)
extern "C"
#endif
    void operations_guarded(guarded_action act, uint8_t operation, size_t length);

#else

#define GUARD_IN_FRONT
#define CHECKED_BUFFER(name, bytes) BUFFER name[bytes]

#endif

#endif
