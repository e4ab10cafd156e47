#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED) && !defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB2)

#include "../aes_fixsliced_planes.h"
#include "../aes_inverse_substitute_circuit.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)

void tatu_internal_aes_fixsliced_decrypt_rounds(uint32_t *planes, const uint32_t *round_key,
                                                const uint32_t *last_round_key);

static void decrypt_rounds(struct tatu_internal_aes_planes *planes, const uint32_t *round_keys, uint8_t rounds)
{
    const uint32_t *const end = round_keys + (size_t)TATU_INTERNAL_AES_PLANES * rounds;

    tatu_internal_aes_fixsliced_decrypt_rounds(planes->plane, end, round_keys);
}

#else

/* InvCipher (FIPS 197, section 5.3) of one block or two: what encryption did, undone step by step, turns included.
 * The constant of the S-box is in the round keys. */
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

#define BLOCKS tatu_internal_aes_fixsliced_decrypt
#define ROUNDS decrypt_rounds
#define FIRST_TURN(rounds) ((rounds) % 4)
#define LAST_TURN(rounds) 0

#include "../aes_fixsliced_blocks.h"

#else
typedef int tatu_internal_aes_fixsliced_decrypt_is_elsewhere;
#endif
