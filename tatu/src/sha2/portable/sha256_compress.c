#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_PORTABLE)

#include "../sha256_internal.h"

#include <tatu/wipe.h>

#include "../../common/flash.h"

/* FIPS 180-4, section 4.2.2 */
static const uint32_t round_constants[64] TATU_INTERNAL_IN_FLASH = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t word, unsigned int bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t load_big_endian(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3];
}

/* The next word of the message schedule, in the place of the one 16 rounds back (FIPS 180-4, section 6.2.2, step 1). */
static void extend_schedule(uint32_t schedule[16], unsigned int round)
{
    uint32_t two_back = schedule[(round - 2) % 16];
    uint32_t fifteen_back = schedule[(round - 15) % 16];
    uint32_t sigma0 = rotate_right(fifteen_back, 7) ^ rotate_right(fifteen_back, 18) ^ fifteen_back >> 3;
    uint32_t sigma1 = rotate_right(two_back, 17) ^ rotate_right(two_back, 19) ^ two_back >> 10;

    schedule[round % 16] += sigma1 + schedule[(round - 7) % 16] + sigma0;
}

void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block)
{
    uint32_t schedule[16];
    uint32_t a = hash->state[0], b = hash->state[1], c = hash->state[2], d = hash->state[3];
    uint32_t e = hash->state[4], f = hash->state[5], g = hash->state[6], h = hash->state[7];

    for (unsigned int i = 0; i < 16; i++) {
        schedule[i] = load_big_endian(block + 4 * i);
    }
    for (unsigned int round = 0; round < 64; round++) {
        if (round >= 16) {
            extend_schedule(schedule, round);
        }
        /* Step 3. Ch and Maj are section 4.1.2's with an operation less. */
        uint32_t sigma1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t choice = ((f ^ g) & e) ^ g;
        uint32_t t1 =
            h + sigma1 + choice + TATU_INTERNAL_READ_FLASH_WORD(&round_constants[round]) + schedule[round % 16];
        uint32_t sigma0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t majority = ((a ^ b) & (b ^ c)) ^ b;
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sigma0 + majority;
    }
    hash->state[0] += a;
    hash->state[1] += b;
    hash->state[2] += c;
    hash->state[3] += d;
    hash->state[4] += e;
    hash->state[5] += f;
    hash->state[6] += g;
    hash->state[7] += h;
    tatu_wipe(schedule, sizeof schedule);
}

#else
typedef int tatu_internal_sha256_compress_is_in_assembly;
#endif
