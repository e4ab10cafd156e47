#include "leaky.h"

static volatile uint8_t work;

void leaky_encrypt(const struct leaky *context, uint8_t *output, const uint8_t *input)
{
    memcpy(output, input, 16);
    switch (context->key[9] & 7) { /* leaks: jump */
    case 0:
        work = 3;
        break;
    case 1:
        work = 1;
        work = 4;
        break;
    case 2:
        output[1] = 1;
        work = 5;
        break;
    case 3:
        output[2] = 9;
        break;
    case 4:
        work = output[4];
        break;
    case 5:
        output[5] = work;
        break;
    case 6:
        output[6] = (uint8_t)(work + 2);
        break;
    default:
        output[7] = (uint8_t)(work * 5);
        break;
    }
}
