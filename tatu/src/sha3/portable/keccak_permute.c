#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_IN_PORTABLE)

#include "../sha3_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/flash.h"

#if defined(__AVR__)
#define COPY_FROM_FLASH memcpy_P
#else
#define COPY_FROM_FLASH memcpy
#endif

/* FIPS 202, section 3.2.5 */
static const uint64_t round_constants[24] TATU_INTERNAL_IN_FLASH = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static inline uint64_t rotate_left(uint64_t lane, unsigned int bits)
{
    return lane << bits | lane >> (64 - bits);
}

/* FIPS 202, section 3.2.1 */
static void theta(uint64_t lanes[25])
{
    uint64_t parity[5];

    for (unsigned int x = 0; x < 5; x++) {
        parity[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    }
    for (unsigned int x = 0; x < 5; x++) {
        uint64_t change = parity[(x + 4) % 5] ^ rotate_left(parity[(x + 1) % 5], 1);
        for (unsigned int y = 0; y < 25; y += 5) {
            lanes[x + y] ^= change;
        }
    }
    tatu_wipe(parity, sizeof parity);
}

/* Puts `carried`, rotated, in the place of a lane and returns what was there: that lane goes to the next place. */
static inline uint64_t move(uint64_t *lane, uint64_t carried, unsigned int bits)
{
    uint64_t displaced = *lane;
    *lane = rotate_left(carried, bits);
    return displaced;
}

/* Rho and pi (FIPS 202, sections 3.2.2 and 3.2.3). Except for lane 0, which stays, pi is one cycle of 24 lanes, so that
 * one lane at a time need be held. Constant rotations, because a variable one of 64 bits is slow on 32-bit
 * processors. */
static void rho_and_pi(uint64_t lanes[25])
{
    uint64_t carried = lanes[1];

    carried = move(&lanes[10], carried, 1);
    carried = move(&lanes[7], carried, 3);
    carried = move(&lanes[11], carried, 6);
    carried = move(&lanes[17], carried, 10);
    carried = move(&lanes[18], carried, 15);
    carried = move(&lanes[3], carried, 21);
    carried = move(&lanes[5], carried, 28);
    carried = move(&lanes[16], carried, 36);
    carried = move(&lanes[8], carried, 45);
    carried = move(&lanes[21], carried, 55);
    carried = move(&lanes[24], carried, 2);
    carried = move(&lanes[4], carried, 14);
    carried = move(&lanes[15], carried, 27);
    carried = move(&lanes[23], carried, 41);
    carried = move(&lanes[19], carried, 56);
    carried = move(&lanes[13], carried, 8);
    carried = move(&lanes[12], carried, 25);
    carried = move(&lanes[2], carried, 43);
    carried = move(&lanes[20], carried, 62);
    carried = move(&lanes[14], carried, 18);
    carried = move(&lanes[22], carried, 39);
    carried = move(&lanes[9], carried, 61);
    carried = move(&lanes[6], carried, 20);
    (void)move(&lanes[1], carried, 44);
}

/* FIPS 202, section 3.2.4 */
static void chi(uint64_t lanes[25])
{
    for (unsigned int y = 0; y < 25; y += 5) {
        uint64_t *row = lanes + y;
        uint64_t first = row[0], second = row[1];
        row[0] ^= ~row[1] & row[2];
        row[1] ^= ~row[2] & row[3];
        row[2] ^= ~row[3] & row[4];
        row[3] ^= ~row[4] & first;
        row[4] ^= ~first & second;
    }
}

void tatu_internal_keccak_permute(uint64_t lanes[25])
{
    for (unsigned int round = 0; round < 24; round++) {
        uint64_t constant;
        COPY_FROM_FLASH(&constant, &round_constants[round], sizeof constant);
        theta(lanes);
        rho_and_pi(lanes);
        chi(lanes);
        lanes[0] ^= constant; /* iota */
    }
}

#else
typedef int tatu_internal_keccak_permute_is_in_assembly;
#endif
