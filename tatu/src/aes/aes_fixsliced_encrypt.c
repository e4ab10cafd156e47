#include "aes_fixsliced.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED) && !defined(TATU_INTERNAL_AES_FIXSLICED_ASSEMBLY)

#include <tatu/aes.h>
#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "aes_fixsliced_planes.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED_ROUNDS)

void tatu_internal_aes_fixsliced_encrypt_rounds(uint32_t *planes, const uint32_t *round_key, const uint32_t *last_round_key);

static void encrypt_rounds(struct tatu_internal_aes_planes *planes, const uint32_t *round_keys, uint8_t rounds)
{
    const uint32_t *const end = round_keys + (size_t)TATU_INTERNAL_AES_PLANES * rounds;

    tatu_internal_aes_fixsliced_encrypt_rounds(planes->plane, round_keys, end);
}

#else

/* Cipher (FIPS 197, section 5.1) of one block or two. 10 and 14 rounds end in turn 2, 12 in turn 0. */
static inline void encrypt_rounds(struct tatu_internal_aes_planes *planes, const uint32_t *round_keys, uint8_t rounds)
{
    tatu_internal_aes_planes_add(planes, round_keys);
    for (uint8_t round = 1;; round++) {
        tatu_internal_aes_planes_substitute_without_constant(planes);
        if (round == rounds) {
            break;
        }
        switch (round % 4) {
        case 0:
            tatu_internal_aes_planes_mix(planes, 0);
            break;
        case 1:
            tatu_internal_aes_planes_mix(planes, 1);
            break;
        case 2:
            tatu_internal_aes_planes_mix(planes, 2);
            break;
        default:
            tatu_internal_aes_planes_mix(planes, 3);
            break;
        }
        round_keys += TATU_INTERNAL_AES_PLANES;
        tatu_internal_aes_planes_add(planes, round_keys);
    }
    tatu_internal_aes_planes_add(planes, round_keys + TATU_INTERNAL_AES_PLANES);
}

#endif

#if defined(TATU_INTERNAL_AES_FIXSLICED_ROUNDS)
#define STACK_BYTES 160 /* below which only the rounds come, which wipe for themselves */
#else
#define STACK_BYTES 256
#endif

static TATU_INTERNAL_FRAME_OF_ITS_OWN void encrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input, size_t blocks)
{
    struct tatu_internal_aes_planes planes = tatu_internal_aes_planes_read(input, blocks, 0);

    encrypt_rounds(&planes, round_keys, rounds);
    tatu_internal_aes_planes_write(output, blocks, &planes, rounds % 4);
    tatu_wipe(&planes, sizeof planes);
}

void tatu_internal_aes_fixsliced_encrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                         size_t blocks)
{
    while (blocks > 0) {
        const size_t taken = blocks == 1 ? 1 : 2;

        encrypt(round_keys, rounds, output, input, taken);
        output += taken * TATU_AES_BLOCK_BYTES;
        input += taken * TATU_AES_BLOCK_BYTES;
        blocks -= taken;
    }
    tatu_internal_wipe_stack(STACK_BYTES);
}

#else
typedef int tatu_internal_aes_fixsliced_encrypt_is_elsewhere;
#endif
