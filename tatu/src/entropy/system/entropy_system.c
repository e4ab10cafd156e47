/* Before any header: -std=c99 hides getentropy in <unistd.h>. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1
#endif
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE 1
#endif

#include <tatu/entropy_system.h>

#if defined(TATU_HAS_ENTROPY_SYSTEM)

#if defined(__APPLE__)
#include <sys/random.h>
#endif
#include <unistd.h>

#include <tatu/wipe.h>

#define MOST_BYTES 256 /* of one call of getentropy */

int tatu_entropy_system_read(void *state, uint8_t *output, size_t length)
{
    (void)state;
    for (size_t done = 0; done < length;) {
        const size_t bytes = length - done < MOST_BYTES ? length - done : MOST_BYTES;

        if (getentropy(output + done, bytes) != 0) {
            tatu_wipe(output, length);
            return TATU_ERR_ENTROPY;
        }
        done += bytes;
    }
    return TATU_OK;
}

#else

typedef int tatu_internal_this_device_has_no_entropy_system;

#endif
