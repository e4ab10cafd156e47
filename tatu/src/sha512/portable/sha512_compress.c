/* SHA-512's compression function in C (FIPS 180-4, section 6.4.2). */
#include "../sha512_internal.h"

#if defined(TATU_INTERNAL_SHA512_IN_PORTABLE)

#include <tatu/wipe.h>

#include "../../common/flash.h"
#include "../../common/wipe_stack.h"

/* For the frame of `compress`: the schedule, and what the compiler keeps of the eight words on the stack. */
#define STACK_BYTES 512

#if defined(__AVR__)
#include <string.h>
static uint64_t round_constant(const uint64_t *place)
{
    uint64_t word;

    memcpy_P(&word, place, sizeof word);
    return word;
}
#else
static uint64_t round_constant(const uint64_t *place)
{
    return *place;
}
#endif

/* FIPS 180-4, section 4.2.3 */
static const uint64_t round_constants[80] TATU_INTERNAL_IN_FLASH = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static uint64_t rotate_right(uint64_t word, unsigned int bits)
{
    return word >> bits | word << (64 - bits);
}

static uint64_t load_big_endian(const uint8_t bytes[8])
{
    uint32_t high = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3];
    uint32_t low = (uint32_t)bytes[4] << 24 | (uint32_t)bytes[5] << 16 | (uint32_t)bytes[6] << 8 | (uint32_t)bytes[7];

    return (uint64_t)high << 32 | low;
}

/* The next word of the message schedule, in the place of the one 16 rounds back (FIPS 180-4, section 6.4.2, step 1). */
static void extend_schedule(uint64_t schedule[16], unsigned int round)
{
    uint64_t two_back = schedule[(round - 2) % 16];
    uint64_t fifteen_back = schedule[(round - 15) % 16];
    uint64_t sigma0 = rotate_right(fifteen_back, 1) ^ rotate_right(fifteen_back, 8) ^ fifteen_back >> 7;
    uint64_t sigma1 = rotate_right(two_back, 19) ^ rotate_right(two_back, 61) ^ two_back >> 6;

    schedule[round % 16] += sigma1 + schedule[(round - 7) % 16] + sigma0;
}

static TATU_INTERNAL_FRAME_OF_ITS_OWN void compress(uint64_t state[8], const uint8_t *block)
{
    uint64_t schedule[16];
    uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint64_t e = state[4], f = state[5], g = state[6], h = state[7];

    for (unsigned int i = 0; i < 16; i++) {
        schedule[i] = load_big_endian(block + 8 * i);
    }
    for (unsigned int round = 0; round < 80; round++) {
        if (round >= 16) {
            extend_schedule(schedule, round);
        }
        /* Step 3. Ch and Maj are section 4.1.3's with an operation less. */
        uint64_t sigma1 = rotate_right(e, 14) ^ rotate_right(e, 18) ^ rotate_right(e, 41);
        uint64_t choice = ((f ^ g) & e) ^ g;
        uint64_t t1 = h + sigma1 + choice + round_constant(&round_constants[round]) + schedule[round % 16];
        uint64_t sigma0 = rotate_right(a, 28) ^ rotate_right(a, 34) ^ rotate_right(a, 39);
        uint64_t majority = ((a ^ b) & (b ^ c)) ^ b;
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sigma0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
    tatu_wipe(schedule, sizeof schedule);
}

void tatu_internal_sha512_compress(struct tatu_sha512 *hash, const uint8_t *block)
{
    compress(hash->state, block);
    tatu_internal_wipe_stack(STACK_BYTES);
}

#else
typedef int tatu_internal_sha512_compress_is_in_assembly;
#endif
