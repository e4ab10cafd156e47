#include "speck64_internal.h"

void tatu_internal_speck64_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[8], const uint8_t input[8])
{
    struct tatu_internal_speck64_block block = tatu_internal_speck64_load(input);

    while (rounds > 0) {
        rounds--;
        tatu_internal_speck64_inverse_round(&block.x, &block.y,
                                            tatu_internal_load32_le(round_keys + 4 * (uint16_t)rounds));
    }
    tatu_internal_speck64_store(output, &block);
}
