#include "cipher.hpp"

static volatile uint8_t work;

// So long that its debugging information, which then begins at address 0, covers the code that is there.
void Cipher::neverCalled(uint8_t *output, const uint8_t *input) const
{
    uint32_t sum = 0;
    for (uint8_t i = 0; i < 16; i++) {
        sum += input[i];
    }
    sum = sum * 33 + (input[0] & 1 ? output[3] : 0UL); // the linker drops it
    sum = sum * 33 + (input[1] & 1 ? output[4] : 1UL); // the linker drops it
    sum = sum * 33 + (input[2] & 1 ? output[5] : 2UL); // the linker drops it
    sum = sum * 33 + (input[3] & 1 ? output[6] : 3UL); // the linker drops it
    sum = sum * 33 + (input[4] & 1 ? output[7] : 4UL); // the linker drops it
    sum = sum * 33 + (input[5] & 1 ? output[8] : 5UL); // the linker drops it
    sum = sum * 33 + (input[6] & 1 ? output[9] : 6UL); // the linker drops it
    sum = sum * 33 + (input[7] & 1 ? output[10] : 7UL); // the linker drops it
    sum = sum * 33 + (input[8] & 1 ? output[11] : 8UL); // the linker drops it
    sum = sum * 33 + (input[9] & 1 ? output[12] : 9UL); // the linker drops it
    sum = sum * 33 + (input[10] & 1 ? output[13] : 10UL); // the linker drops it
    sum = sum * 33 + (input[11] & 1 ? output[14] : 11UL); // the linker drops it
    sum = sum * 33 + (input[12] & 1 ? output[15] : 12UL); // the linker drops it
    sum = sum * 33 + (input[13] & 1 ? output[0] : 13UL); // the linker drops it
    sum = sum * 33 + (input[14] & 1 ? output[1] : 14UL); // the linker drops it
    sum = sum * 33 + (input[15] & 1 ? output[2] : 15UL); // the linker drops it
    sum = sum * 33 + (input[0] & 1 ? output[3] : 16UL); // the linker drops it
    sum = sum * 33 + (input[1] & 1 ? output[4] : 17UL); // the linker drops it
    sum = sum * 33 + (input[2] & 1 ? output[5] : 18UL); // the linker drops it
    sum = sum * 33 + (input[3] & 1 ? output[6] : 19UL); // the linker drops it
    sum = sum * 33 + (input[4] & 1 ? output[7] : 20UL); // the linker drops it
    sum = sum * 33 + (input[5] & 1 ? output[8] : 21UL); // the linker drops it
    sum = sum * 33 + (input[6] & 1 ? output[9] : 22UL); // the linker drops it
    sum = sum * 33 + (input[7] & 1 ? output[10] : 23UL); // the linker drops it
    sum = sum * 33 + (input[8] & 1 ? output[11] : 24UL); // the linker drops it
    sum = sum * 33 + (input[9] & 1 ? output[12] : 25UL); // the linker drops it
    sum = sum * 33 + (input[10] & 1 ? output[13] : 26UL); // the linker drops it
    sum = sum * 33 + (input[11] & 1 ? output[14] : 27UL); // the linker drops it
    sum = sum * 33 + (input[12] & 1 ? output[15] : 28UL); // the linker drops it
    sum = sum * 33 + (input[13] & 1 ? output[0] : 29UL); // the linker drops it
    sum = sum * 33 + (input[14] & 1 ? output[1] : 30UL); // the linker drops it
    sum = sum * 33 + (input[15] & 1 ? output[2] : 31UL); // the linker drops it
    sum = sum * 33 + (input[0] & 1 ? output[3] : 32UL); // the linker drops it
    sum = sum * 33 + (input[1] & 1 ? output[4] : 33UL); // the linker drops it
    sum = sum * 33 + (input[2] & 1 ? output[5] : 34UL); // the linker drops it
    sum = sum * 33 + (input[3] & 1 ? output[6] : 35UL); // the linker drops it
    sum = sum * 33 + (input[4] & 1 ? output[7] : 36UL); // the linker drops it
    sum = sum * 33 + (input[5] & 1 ? output[8] : 37UL); // the linker drops it
    sum = sum * 33 + (input[6] & 1 ? output[9] : 38UL); // the linker drops it
    sum = sum * 33 + (input[7] & 1 ? output[10] : 39UL); // the linker drops it
    sum = sum * 33 + (input[8] & 1 ? output[11] : 40UL); // the linker drops it
    sum = sum * 33 + (input[9] & 1 ? output[12] : 41UL); // the linker drops it
    sum = sum * 33 + (input[10] & 1 ? output[13] : 42UL); // the linker drops it
    sum = sum * 33 + (input[11] & 1 ? output[14] : 43UL); // the linker drops it
    sum = sum * 33 + (input[12] & 1 ? output[15] : 44UL); // the linker drops it
    sum = sum * 33 + (input[13] & 1 ? output[0] : 45UL); // the linker drops it
    sum = sum * 33 + (input[14] & 1 ? output[1] : 46UL); // the linker drops it
    sum = sum * 33 + (input[15] & 1 ? output[2] : 47UL); // the linker drops it
    sum = sum * 33 + (input[0] & 1 ? output[3] : 48UL); // the linker drops it
    sum = sum * 33 + (input[1] & 1 ? output[4] : 49UL); // the linker drops it
    sum = sum * 33 + (input[2] & 1 ? output[5] : 50UL); // the linker drops it
    sum = sum * 33 + (input[3] & 1 ? output[6] : 51UL); // the linker drops it
    sum = sum * 33 + (input[4] & 1 ? output[7] : 52UL); // the linker drops it
    sum = sum * 33 + (input[5] & 1 ? output[8] : 53UL); // the linker drops it
    sum = sum * 33 + (input[6] & 1 ? output[9] : 54UL); // the linker drops it
    sum = sum * 33 + (input[7] & 1 ? output[10] : 55UL); // the linker drops it
    sum = sum * 33 + (input[8] & 1 ? output[11] : 56UL); // the linker drops it
    sum = sum * 33 + (input[9] & 1 ? output[12] : 57UL); // the linker drops it
    sum = sum * 33 + (input[10] & 1 ? output[13] : 58UL); // the linker drops it
    sum = sum * 33 + (input[11] & 1 ? output[14] : 59UL); // the linker drops it
    sum = sum * 33 + (input[12] & 1 ? output[15] : 60UL); // the linker drops it
    sum = sum * 33 + (input[13] & 1 ? output[0] : 61UL); // the linker drops it
    sum = sum * 33 + (input[14] & 1 ? output[1] : 62UL); // the linker drops it
    sum = sum * 33 + (input[15] & 1 ? output[2] : 63UL); // the linker drops it
    sum = sum * 33 + (input[0] & 1 ? output[3] : 64UL); // the linker drops it
    sum = sum * 33 + (input[1] & 1 ? output[4] : 65UL); // the linker drops it
    sum = sum * 33 + (input[2] & 1 ? output[5] : 66UL); // the linker drops it
    sum = sum * 33 + (input[3] & 1 ? output[6] : 67UL); // the linker drops it
    sum = sum * 33 + (input[4] & 1 ? output[7] : 68UL); // the linker drops it
    sum = sum * 33 + (input[5] & 1 ? output[8] : 69UL); // the linker drops it
    sum = sum * 33 + (input[6] & 1 ? output[9] : 70UL); // the linker drops it
    sum = sum * 33 + (input[7] & 1 ? output[10] : 71UL); // the linker drops it
    sum = sum * 33 + (input[8] & 1 ? output[11] : 72UL); // the linker drops it
    sum = sum * 33 + (input[9] & 1 ? output[12] : 73UL); // the linker drops it
    sum = sum * 33 + (input[10] & 1 ? output[13] : 74UL); // the linker drops it
    sum = sum * 33 + (input[11] & 1 ? output[14] : 75UL); // the linker drops it
    sum = sum * 33 + (input[12] & 1 ? output[15] : 76UL); // the linker drops it
    sum = sum * 33 + (input[13] & 1 ? output[0] : 77UL); // the linker drops it
    sum = sum * 33 + (input[14] & 1 ? output[1] : 78UL); // the linker drops it
    sum = sum * 33 + (input[15] & 1 ? output[2] : 79UL); // the linker drops it
    sum = sum * 33 + (input[0] & 1 ? output[3] : 80UL); // the linker drops it
    sum = sum * 33 + (input[1] & 1 ? output[4] : 81UL); // the linker drops it
    sum = sum * 33 + (input[2] & 1 ? output[5] : 82UL); // the linker drops it
    sum = sum * 33 + (input[3] & 1 ? output[6] : 83UL); // the linker drops it
    sum = sum * 33 + (input[4] & 1 ? output[7] : 84UL); // the linker drops it
    sum = sum * 33 + (input[5] & 1 ? output[8] : 85UL); // the linker drops it
    sum = sum * 33 + (input[6] & 1 ? output[9] : 86UL); // the linker drops it
    sum = sum * 33 + (input[7] & 1 ? output[10] : 87UL); // the linker drops it
    sum = sum * 33 + (input[8] & 1 ? output[11] : 88UL); // the linker drops it
    sum = sum * 33 + (input[9] & 1 ? output[12] : 89UL); // the linker drops it
    output[0] = (uint8_t)sum;
}

static __attribute__((noinline)) uint8_t halved(uint8_t value)
{
    if (value & 1) { /* leaks: branch */
        work = 1;
        work = 2;
    }
    return (uint8_t)(value >> 1);
}

__attribute__((noinline)) uint8_t Cipher::doubled(uint8_t value) const
{
    uint8_t twice = (uint8_t)(value << 1);
    if (value & 0x80) { /* leaks: branch */
        work = 1;
        work = 2;
        twice ^= 0x1b;
    }
    return twice;
}

void Cipher::setKey(const uint8_t *from)
{
    memcpy(key, from, sizeof key);
}

void Cipher::encrypt(uint8_t *output, const uint8_t *input) const
{
    for (uint8_t i = 0; i < 16; i++) {
        output[i] = (uint8_t)(doubled(key[i]) ^ halved(key[i]) ^ input[i]);
    }
}
