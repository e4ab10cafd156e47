/* Ascon-p, portable (NIST SP 800-232, section 3). On AVR: ascon_permutation_avr.S.
 *
 * Words of 64 bits: one instruction an operation on 64-bit processors, two and a few shifts on 32-bit ones. */
#include "../ascon_backend.h"

#if defined(TATU_INTERNAL_ASCON_IN_PORTABLE)

#include "../ascon_internal.h"

#include "../../common/bytes.h"

#define LAST_CONSTANT 0x4b
#define CONSTANT_STEP 0x0f

static inline uint64_t rotate_right(uint64_t word, unsigned int bits)
{
    return word >> bits | word << (64 - bits);
}

/* Section 3.4: x ^ (x >>> first) ^ (x >>> second) */
static inline uint64_t diffuse(uint64_t word, unsigned int first, unsigned int second)
{
    return word ^ rotate_right(word, first) ^ rotate_right(word, second);
}

void tatu_internal_ascon_permute(uint8_t state[40], uint8_t first_constant)
{
    uint64_t x0 = tatu_internal_load64_le(state);
    uint64_t x1 = tatu_internal_load64_le(state + 8);
    uint64_t x2 = tatu_internal_load64_le(state + 16);
    uint64_t x3 = tatu_internal_load64_le(state + 24);
    uint64_t x4 = tatu_internal_load64_le(state + 32);

    for (unsigned int constant = first_constant; constant >= LAST_CONSTANT; constant -= CONSTANT_STEP) {
        x2 ^= constant; /* section 3.2 */

        x0 ^= x4; /* section 3.3, all 64 columns at once */
        x4 ^= x3;
        x2 ^= x1;
        const uint64_t t0 = x0 ^ (~x1 & x2);
        const uint64_t t1 = x1 ^ (~x2 & x3);
        const uint64_t t2 = x2 ^ (~x3 & x4);
        const uint64_t t3 = x3 ^ (~x4 & x0);
        const uint64_t t4 = x4 ^ (~x0 & x1);

        x0 = diffuse(t0 ^ t4, 19, 28); /* section 3.4 */
        x1 = diffuse(t1 ^ t0, 61, 39);
        x2 = diffuse(~t2, 1, 6);
        x3 = diffuse(t3 ^ t2, 10, 17);
        x4 = diffuse(t4, 7, 41);
    }

    tatu_internal_store64_le(state, x0);
    tatu_internal_store64_le(state + 8, x1);
    tatu_internal_store64_le(state + 16, x2);
    tatu_internal_store64_le(state + 24, x3);
    tatu_internal_store64_le(state + 32, x4);
}

#else
typedef int tatu_internal_ascon_permutation_is_in_assembly;
#endif
