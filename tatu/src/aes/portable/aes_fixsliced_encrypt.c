#include "../aes_fixsliced.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_FIXSLICED) && !defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB2)

#include "../aes_fixsliced_planes.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)

void tatu_internal_aes_fixsliced_encrypt_rounds(uint32_t *planes, const uint32_t *round_key,
                                                const uint32_t *last_round_key);

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

#define BLOCKS tatu_internal_aes_fixsliced_encrypt
#define ROUNDS encrypt_rounds
#define FIRST_TURN(rounds) 0
#define LAST_TURN(rounds) ((rounds) % 4)

#include "../aes_fixsliced_blocks.h"

#else
typedef int tatu_internal_aes_fixsliced_encrypt_is_elsewhere;
#endif
