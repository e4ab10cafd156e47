/* Guard bytes on both sides of what a library may write. They are put before a call and looked at after it, both
 * outside of what is timed. harness/src/monitor.c has the functions.
 *
 * A file operations.c declares each buffer that a library writes with GUARDED_BUFFER, or with GUARDED_OBJECT if it is
 * the library's own type, and names them, in the order of their numbers, with GUARD_NAMES. The host reads the names
 * from the ELF file: they take no memory of the device. */
#ifndef BANCADA_GUARD_H
#define BANCADA_GUARD_H

#include <stddef.h>
#include <stdint.h>

#include "bancada/buffer.h"

#define GUARD_BYTES 8

/* What lies between a guarded object and the one before it: the guard, and so much that the object begins where any
 * type of the machine may. */
#if __BIGGEST_ALIGNMENT__ > GUARD_BYTES
#define GUARD_BEFORE_BYTES __BIGGEST_ALIGNMENT__
#else
#define GUARD_BEFORE_BYTES GUARD_BYTES
#endif

#define GUARDED_BUFFER(name, bytes) BUFFER name##_and_guards[GUARD_BEFORE_BYTES + (bytes) + GUARD_BYTES]

/* The first byte of a guarded buffer. */
#define GUARDED(name) (name##_and_guards + GUARD_BEFORE_BYTES)

/* The members of a structure: `type object`, with guard bytes on both sides. */
#define GUARDED_OBJECT(type)                                           \
    __attribute__((aligned)) uint8_t guard_before[GUARD_BEFORE_BYTES]; \
    type object;                                                       \
    uint8_t guard_behind[GUARD_BYTES]

/* Names of the guarded buffers, with commas between them: the first is number 0. At most 8. */
#define GUARD_NAMES(names)                                    \
    __asm__(".pushsection .bancada.guards,\"\",%progbits\n\t" \
            ".asciz \"" names "\"\n\t"                        \
            ".popsection")

#if defined(__cplusplus)
extern "C" {
#endif

/* Puts guard bytes in front of `bytes` and behind the first `length` of them. */
void guard_put(uint8_t *bytes, size_t length);

/* Notes whether a guard of the buffer `number` has changed since then. What was noted stays until the device restarts;
 * the host reads it (monitor.h). */
void guard_look(uint8_t number, const uint8_t *bytes, size_t length);

#if defined(__cplusplus)
}
#endif

#define GUARD_PUT_OBJECT(of) guard_put((uint8_t *)&(of), sizeof(of))
#define GUARD_LOOK_OBJECT(number, of) guard_look(number, (const uint8_t *)&(of), sizeof(of))

#endif
