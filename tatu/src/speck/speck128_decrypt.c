#include "../common/wipe_stack.h"
#include "speck128_internal.h"

static TATU_INTERNAL_FRAME_OF_FEW_REGISTERS void decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16],
                                                         const uint8_t input[16])
{
    struct tatu_internal_speck128_block block = tatu_internal_speck128_load(input);

    while (rounds > 0) {
        rounds--;
        tatu_internal_speck128_inverse_round(&block.x, &block.y,
                                             tatu_internal_load64_le(round_keys + 8 * (uint16_t)rounds));
    }
    tatu_internal_speck128_store(output, &block);
}

void tatu_internal_speck128_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16],
                                    const uint8_t input[16])
{
    decrypt(round_keys, rounds, output, input);
    tatu_internal_wipe_stack_of_few_registers(64);
}
