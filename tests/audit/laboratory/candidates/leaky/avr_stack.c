/* A secret that goes over the stack and through a pointer's pair before a carry is looked at. */
#include "leaky.h"

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    uint8_t value = context->key[2];
    memcpy(output, input, 16);
    __asm__ __volatile__("push %0\n\tclr %0\n\tpop r26\n\tclr r27\n\tmovw r30, r26\n\tsbiw r30, 9\n\tror r31\n\tclc"
                         : "+r"(value)
                         :
                         : "r26", "r27", "r30", "r31");
    __asm__ __volatile__("rol r31\n\tbrcs .+4\n\tnop\n\tnop" : : : "r31"); /* leaks: branch */
    output[0] = value;
}
