#include <tatu/wipe.h>

#include <stdint.h>

#include "assembly.h"
#include "wipe_stack.h"

/* On 32-bit Arm both functions are assembly: wipe_arm.S and wipe_stack_arm.S */
#if !defined(TATU_INTERNAL_ARM_ASSEMBLY) && !defined(TATU_INTERNAL_THUMB1_ASSEMBLY)

#if defined(__GNUC__)

#include <string.h>

/* For the compiler the empty assembly may read the memory. So the compiler must write the zeros, also with link-time
 * optimisation. This is several times faster than a loop over volatile bytes. */
void tatu_wipe(void *buffer, size_t length)
{
    if (length == 0) {
        return; /* `buffer` may be NULL here, which memset does not accept (C99, 7.21.1 paragraph 2) */
    }
    memset(buffer, 0, length);
    __asm__ __volatile__("" : : "r"(buffer) : "memory");
}

#else

/* Writes through a volatile pointer are observable behaviour (C99, 5.1.2.3), so no compiler may drop them. */
void tatu_wipe(void *buffer, size_t length)
{
    volatile uint8_t *bytes = (volatile uint8_t *)buffer;

    while (length > 0) {
        *bytes = 0;
        bytes++;
        length--;
    }
}

#endif

#if !defined(tatu_internal_wipe_stack)

void tatu_internal_wipe_stack(size_t bytes)
{
    uint8_t left_there[bytes];

    tatu_wipe(left_there, bytes);
}

#endif

#else
typedef int tatu_wipe_is_in_assembly;
#endif
