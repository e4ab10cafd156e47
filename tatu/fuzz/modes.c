/* ECB, CBC, CTR and the random bit generator: what is encrypted is decrypted again, in place and apart; lengths that
 * a mode has not, and entropy that fails, are refused and leave zeros. */
#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/ecb.h>
#include <tatu/speck.h>

#include "fuzz.h"

/* An entropy function that fails when the fuzzer's bytes for it are used up. */
static int take_entropy(void *state, uint8_t *output, size_t length)
{
    struct reader *const left = state;

    if (left->left < length) {
        memset(output, 0x5a, length);
        return -77;
    }
    take(left, output, length);
    return 0;
}

static void try_cbc(struct tatu_block_encrypter encrypter, struct tatu_block_decrypter decrypter, struct reader entropy,
                    const uint8_t *message, size_t length)
{
    const size_t block_bytes = encrypter.block_bytes;
    const int has_entropy = entropy.left >= block_bytes;
    const int expected = length % block_bytes != 0 ? TATU_ERR_LENGTH : has_entropy ? TATU_OK : TATU_ERR_ENTROPY;
    struct reader again = entropy;
    uint8_t *const packet = new_buffer(block_bytes + length);
    uint8_t *const in_place = new_buffer(block_bytes + length);
    uint8_t *const back = new_buffer(length);

    CHECK(tatu_cbc_encrypt(encrypter, packet, message, length, take_entropy, &entropy) == expected);
    memcpy(in_place, message, length);
    CHECK(tatu_cbc_encrypt(encrypter, in_place, in_place, length, take_entropy, &again) == expected);
    CHECK(is_equal(packet, in_place, block_bytes + length));
    if (expected == TATU_OK) {
        CHECK(tatu_cbc_decrypt(decrypter, back, packet, length) == TATU_OK);
        CHECK(is_equal(back, message, length));
        CHECK(tatu_cbc_decrypt(decrypter, in_place, in_place, length) == TATU_OK);
        CHECK(is_equal(in_place, message, length));
    } else {
        CHECK(is_zero(packet, block_bytes + length));
    }
    if (expected == TATU_ERR_LENGTH) {
        CHECK(tatu_cbc_decrypt(decrypter, back, packet, length) == TATU_ERR_LENGTH);
        CHECK(is_zero(back, length));
    }
    free(packet);
    free(in_place);
    free(back);
}

static void try_ctr(struct tatu_block_encrypter encrypter, struct reader entropy, uint8_t blocks_left,
                    const uint8_t *message, size_t length)
{
    const size_t block_bytes = encrypter.block_bytes;
    const int has_entropy = entropy.left >= block_bytes;
    uint8_t *const packet = new_buffer(block_bytes + length);
    uint8_t *const back = new_buffer(length);
    struct tatu_ctr ctr;

    CHECK(tatu_ctr_start(&ctr, encrypter, take_entropy, &entropy) == (has_entropy ? TATU_OK : TATU_ERR_ENTROPY));
    if (has_entropy) {
        ctr.blocks_left = blocks_left;
    }
    if (has_entropy && blocks_left > 0 && (length == 0 || (length - 1) / block_bytes < blocks_left)) {
        CHECK(tatu_ctr_encrypt(&ctr, packet, message, length) == TATU_OK);
        tatu_ctr_decrypt(encrypter, back, packet, length);
        CHECK(is_equal(back, message, length));
        tatu_ctr_decrypt(encrypter, packet, packet, length);
        CHECK(is_equal(packet, message, length));
    } else {
        CHECK(tatu_ctr_encrypt(&ctr, packet, message, length) == TATU_ERR_EXHAUSTED);
        CHECK(is_zero(packet, block_bytes + length));
    }
    free(packet);
    free(back);
}

static void try_ecb(struct tatu_block_encrypter encrypter, struct tatu_block_decrypter decrypter,
                    const uint8_t *message, size_t length)
{
    const int expected = length % encrypter.block_bytes == 0 ? TATU_OK : TATU_ERR_LENGTH;
    uint8_t *const output = new_buffer(length);

    CHECK(tatu_ecb_leaky_encrypt(encrypter, output, message, length) == expected);
    CHECK(expected == TATU_OK || is_zero(output, length));
    CHECK(tatu_ecb_leaky_decrypt(decrypter, output, output, length) == expected);
    CHECK(expected == TATU_OK ? is_equal(output, message, length) : is_zero(output, length));
    free(output);
}

/* Two generators with the same seed give the same bits, whatever lay in their memory before. */
static void try_drbg(struct reader entropy, size_t length)
{
    const int has_entropy = entropy.left >= TATU_DRBG_SEED_BYTES;
    struct reader again = entropy;
    struct tatu_drbg first, second;
    uint8_t *const a = new_buffer(length);
    uint8_t *const b = new_buffer(length);

    memset(&second, 0xff, sizeof second);
    CHECK(tatu_drbg_start(&first, take_entropy, &entropy) == (has_entropy ? TATU_OK : TATU_ERR_ENTROPY));
    CHECK(tatu_drbg_start(&second, take_entropy, &again) == (has_entropy ? TATU_OK : TATU_ERR_ENTROPY));
    for (int request = 0; request < 2; request++) {
        const int expected = has_entropy ? TATU_OK : TATU_ERR_EXHAUSTED;

        CHECK(tatu_drbg_generate(&first, a, length) == expected);
        CHECK(tatu_drbg_generate(&second, b, length) == expected);
        CHECK(is_equal(a, b, length));
        CHECK(has_entropy || is_zero(a, length));
    }
    free(a);
    free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader reader = {data, size};
    const uint8_t mode = next_byte(&reader) % 4;
    const uint8_t cipher = next_byte(&reader) % 2;
    const uint8_t blocks_left = next_byte(&reader);
    struct reader entropy = {reader.at, smaller(next_byte(&reader) % 64, reader.left)};
    struct tatu_aes128_tiny aes;
    struct tatu_speck64_128 speck;
    struct tatu_block_encrypter encrypter;
    struct tatu_block_decrypter decrypter;
    uint8_t key[16];
    uint8_t *message;
    size_t length;

    take(&reader, key, sizeof key);
    length = reader.left;
    message = take_buffer(&reader, length);
    if (cipher == 0) {
        tatu_aes128_tiny_set_key(&aes, key);
        encrypter = tatu_aes128_tiny_encrypter(&aes);
        decrypter = tatu_aes128_tiny_decrypter(&aes);
    } else {
        tatu_speck64_128_set_key(&speck, key);
        encrypter = tatu_speck64_128_encrypter(&speck);
        decrypter = tatu_speck64_128_decrypter(&speck);
    }
    switch (mode) {
    case 0:
        try_cbc(encrypter, decrypter, entropy, message, length);
        break;
    case 1:
        try_ctr(encrypter, entropy, blocks_left, message, length);
        break;
    case 2:
        try_ecb(encrypter, decrypter, message, length);
        break;
    default:
        try_drbg(entropy, length);
        break;
    }
    free(message);
    return 0;
}
