#include <tatu/wipe.h>

#include <stdint.h>

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
