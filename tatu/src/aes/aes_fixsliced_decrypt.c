#include "aes_fixsliced.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED) && !defined(TATU_INTERNAL_AES_FIXSLICED_ASSEMBLY)

#include <tatu/aes.h>
#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "aes_fixsliced_planes.h"
#include "aes_inverse_substitute_circuit.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED_ROUNDS)

void tatu_internal_aes_fixsliced_decrypt_rounds(uint32_t *planes, const uint32_t *round_key, const uint32_t *last_round_key);

static void decrypt_rounds(struct tatu_internal_aes_planes *planes, const uint32_t *round_keys, uint8_t rounds)
{
    const uint32_t *const end = round_keys + (size_t)TATU_INTERNAL_AES_PLANES * rounds;

    tatu_internal_aes_fixsliced_decrypt_rounds(planes->plane, end, round_keys);
}

#else

/* InvCipher (FIPS 197, section 5.3) of one block or two: what encryption did, undone step by step, turns included. The constant of the
 * S-box is in the round keys. */
static inline void decrypt_rounds(struct tatu_internal_aes_planes *planes, const uint32_t *round_keys, uint8_t rounds)
{
    round_keys += (size_t)TATU_INTERNAL_AES_PLANES * rounds;
    tatu_internal_aes_planes_add(planes, round_keys);
    for (uint8_t round = rounds;;) {
        tatu_internal_aes_planes_inverse_substitute_without_constant(planes);
        round_keys -= TATU_INTERNAL_AES_PLANES;
        tatu_internal_aes_planes_add(planes, round_keys);
        round--;
        if (round == 0) {
            break;
        }
        switch (round % 4) {
        case 0:
            tatu_internal_aes_planes_inverse_mix(planes, 0);
            break;
        case 1:
            tatu_internal_aes_planes_inverse_mix(planes, 1);
            break;
        case 2:
            tatu_internal_aes_planes_inverse_mix(planes, 2);
            break;
        default:
            tatu_internal_aes_planes_inverse_mix(planes, 3);
            break;
        }
    }
}

#endif

#if defined(TATU_INTERNAL_AES_FIXSLICED_ROUNDS)
#define STACK_BYTES 160 /* below which only the rounds come, which wipe for themselves */
#else
#define STACK_BYTES 256
#endif

static TATU_INTERNAL_FRAME_OF_ITS_OWN void decrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input, size_t blocks)
{
    struct tatu_internal_aes_planes planes = tatu_internal_aes_planes_read(input, blocks, rounds % 4);

    decrypt_rounds(&planes, round_keys, rounds);
    tatu_internal_aes_planes_write(output, blocks, &planes, 0);
    tatu_wipe(&planes, sizeof planes);
}

void tatu_internal_aes_fixsliced_decrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                         size_t blocks)
{
    while (blocks > 0) {
        const size_t taken = blocks == 1 ? 1 : 2;

        decrypt(round_keys, rounds, output, input, taken);
        output += taken * TATU_AES_BLOCK_BYTES;
        input += taken * TATU_AES_BLOCK_BYTES;
        blocks -= taken;
    }
    tatu_internal_wipe_stack(STACK_BYTES);
}

#else
typedef int tatu_internal_aes_fixsliced_decrypt_is_elsewhere;
#endif
