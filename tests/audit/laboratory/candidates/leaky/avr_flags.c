/* A secret that goes through SREG, bit T, a general purpose I/O register and the high half of a product before it is looked at. */
#include "leaky.h"

#include <avr/io.h>

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t value = context->key[2];
    uint8_t kept;
    memcpy(output, input, 16);
    __asm__ __volatile__("bst %1, 3\n\tin %0, __SREG__\n\tout %2, %0\n\tclr %0\n\tin %0, %2\n\tswap %0"
                         : "=&r"(kept)
                         : "r"(value), "I"(_SFR_IO_ADDR(GPIOR1)));
    uint16_t product = (uint16_t)(kept * 77U);
    if ((uint8_t)(product >> 8) > 60) { /* leaks: branch */
        GPIOR2 = 1;
        GPIOR2 = 2;
    }
}
