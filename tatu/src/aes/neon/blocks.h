/* What encryption and decryption of many blocks with NEON share. They take eight blocks at a time. A rest of five to
 * seven blocks is copied to a buffer of eight, and a smaller rest is taken block by block. The including file defines
 *
 *   BLOCKS      the function's name
 *   KEYS        TATU_INTERNAL_AES_ENCRYPTS or TATU_INTERNAL_AES_DECRYPTS
 *   key_bits    the order in which it takes the planes of a key
 *   eight_blocks(planes, rounds, output, input)
 *   ONE_BLOCK(round_keys, rounds, output, input) */

static void few_blocks(struct tatu_internal_aes_planes *planes, uint8_t rounds, uint8_t *output, const uint8_t *input,
                       size_t blocks)
{
    uint8_t eight[TATU_INTERNAL_AES_NEON_BYTES] = {0};

    memcpy(eight, input, 16 * blocks);
    eight_blocks(planes, rounds, eight, eight);
    memcpy(output, eight, 16 * blocks);
    tatu_wipe(eight, sizeof eight);
}

void BLOCKS(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input, size_t blocks)
{
    if (blocks >= TATU_INTERNAL_AES_NEON_ENOUGH) {
        struct tatu_internal_aes_planes planes;

        tatu_internal_aes_set_planes(&planes, round_keys, rounds, KEYS, key_bits);
        for (; blocks >= TATU_INTERNAL_AES_NEON_BLOCKS; blocks -= TATU_INTERNAL_AES_NEON_BLOCKS) {
            eight_blocks(&planes, rounds, output, input);
            output += TATU_INTERNAL_AES_NEON_BYTES;
            input += TATU_INTERNAL_AES_NEON_BYTES;
        }
        if (blocks >= TATU_INTERNAL_AES_NEON_ENOUGH) {
            few_blocks(&planes, rounds, output, input, blocks);
            blocks = 0;
        }
        /* The last keys of a short schedule were never written. */
        tatu_wipe(&planes, offsetof(struct tatu_internal_aes_planes, keys) + (rounds - 1u) * sizeof planes.keys[0]);
    }
    for (; blocks > 0; blocks--) {
        ONE_BLOCK(round_keys, rounds, output, input);
        output += 16;
        input += 16;
    }
}
