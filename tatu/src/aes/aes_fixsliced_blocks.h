/* Any number of blocks with fix-sliced AES in one direction, two blocks at a time.
 *
 * A file that includes this one defines BLOCKS, the name of the function; ROUNDS, which computes the rounds; and
 * FIRST_TURN and LAST_TURN, the representations before and after the rounds (aes_fixsliced_planes.h). */
#include <tatu/aes.h>
#include <tatu/wipe.h>

#include "../common/wipe_stack.h"
#include "aes_fixsliced_planes.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_THUMB1)
#define STACK_BYTES 160 /* without the rounds: they are assembly and wipe their own stack */
#else
#define STACK_BYTES 320
#endif

static TATU_INTERNAL_FRAME_OF_ITS_OWN void one_or_two_blocks(const uint32_t *round_keys, uint8_t rounds,
                                                             uint8_t *output, const uint8_t *input, size_t blocks)
{
    struct tatu_internal_aes_planes planes = tatu_internal_aes_planes_read(input, blocks, FIRST_TURN(rounds));

    ROUNDS(&planes, round_keys, rounds);
    tatu_internal_aes_planes_write(output, blocks, &planes, LAST_TURN(rounds));
    tatu_wipe(&planes, sizeof planes);
}

void BLOCKS(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input, size_t blocks)
{
    while (blocks > 0) {
        const size_t taken = blocks == 1 ? 1 : 2;

        one_or_two_blocks(round_keys, rounds, output, input, taken);
        output += taken * TATU_AES_BLOCK_BYTES;
        input += taken * TATU_AES_BLOCK_BYTES;
        blocks -= taken;
    }
    tatu_internal_wipe_stack(STACK_BYTES);
}
