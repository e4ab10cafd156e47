/* Modes: examples of SP 800-38A, appendix F, in place and moved, and every way to fail. */
#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/ctr.h>
#include <tatu/ecb.h>

#include "kit.h"

#define KEY "2b7e151628aed2a6abf7158809cf4f3c"
#define FIRST_BLOCKS "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"

static struct tatu_aes128 key_context;
static uint8_t plaintext[32];

static void check_ecb(void)
{
    uint8_t ciphertext[32], buffer[32];

    kit_bytes(ciphertext, "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"); /* F.1.1 */
    CHECK(tatu_ecb_leaky_encrypt(tatu_aes128_encrypter(&key_context), buffer, plaintext, 32) == TATU_OK);
    CHECK_BYTES(buffer, ciphertext, 32);
    CHECK(tatu_ecb_leaky_decrypt(tatu_aes128_decrypter(&key_context), buffer, buffer, 32) == TATU_OK);
    CHECK_BYTES(buffer, plaintext, 32);
    CHECK(tatu_ecb_leaky_encrypt(tatu_aes128_encrypter(&key_context), buffer, plaintext, 31) == TATU_ERR_LENGTH);
    CHECK(kit_is_zero(buffer, 31));
    memset(buffer, 1, sizeof buffer);
    CHECK(tatu_ecb_leaky_decrypt(tatu_aes128_decrypter(&key_context), buffer, ciphertext, 17) == TATU_ERR_LENGTH);
    CHECK(kit_is_zero(buffer, 17) && buffer[17] == 1);
}

static void check_cbc(void)
{
    uint8_t iv[16], ciphertext[32], buffer[48];

    kit_bytes(iv, "000102030405060708090a0b0c0d0e0f");
    kit_bytes(ciphertext, "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2"); /* F.2.1 */
    for (unsigned way = 0; way < 3; way++) { /* apart, in place behind the IV, and from the buffer's beginning */
        struct kit_entropy entropy = {iv, 16};
        const uint8_t *const input = way == 0 ? plaintext : way == 1 ? buffer + 16 : buffer;
        uint8_t *const output = way == 0 ? buffer : way == 1 ? buffer + 16 : buffer;
        uint8_t packet[48];

        memcpy(buffer + (way == 1 ? 16 : 0), plaintext, 32);
        CHECK(tatu_cbc_encrypt(tatu_aes128_encrypter(&key_context), buffer, input, 32, kit_entropy_take, &entropy) ==
              TATU_OK);
        CHECK_BYTES(buffer, iv, 16);
        CHECK_BYTES(buffer + 16, ciphertext, 32);
        memcpy(packet, buffer, 48);
        CHECK(tatu_cbc_decrypt(tatu_aes128_decrypter(&key_context), output, way == 0 ? packet : buffer, 32) == TATU_OK);
        CHECK_BYTES(output, plaintext, 32);
    }
    {
        struct kit_entropy none = {iv, 15};

        memset(buffer, 1, sizeof buffer);
        CHECK(tatu_cbc_encrypt(tatu_aes128_encrypter(&key_context), buffer, plaintext, 32, kit_entropy_take, &none) ==
              TATU_ERR_ENTROPY);
        CHECK(kit_is_zero(buffer, 48));
    }
    {
        struct kit_entropy entropy = {iv, 16};

        memset(buffer, 1, sizeof buffer);
        CHECK(tatu_cbc_encrypt(tatu_aes128_encrypter(&key_context), buffer, plaintext, 31, kit_entropy_take,
                               &entropy) == TATU_ERR_LENGTH);
        CHECK(kit_is_zero(buffer, 47) && buffer[47] == 1);
        CHECK(entropy.left == 16);
        memset(buffer, 1, sizeof buffer);
        CHECK(tatu_cbc_decrypt(tatu_aes128_decrypter(&key_context), buffer, ciphertext, 15) == TATU_ERR_LENGTH);
        CHECK(kit_is_zero(buffer, 15) && buffer[15] == 1);
    }
}

static void check_ctr(void)
{
    uint8_t counter[16], ciphertext[32], next[16], buffer[48];
    struct kit_entropy entropy = {counter, 16};
    struct tatu_ctr ctr;

    kit_bytes(counter, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    kit_bytes(ciphertext, "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"); /* F.5.1 */
    kit_bytes(next, "f0f1f2f3f4f5f6f7f8f9fafbfcfdff01");
    CHECK(tatu_ctr_start(&ctr, tatu_aes128_encrypter(&key_context), kit_entropy_take, &entropy) == TATU_OK);
    memcpy(buffer, plaintext, 32);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, buffer, 32) == TATU_OK);
    CHECK_BYTES(buffer, counter, 16);
    CHECK_BYTES(buffer + 16, ciphertext, 32);
    tatu_ctr_decrypt(tatu_aes128_encrypter(&key_context), buffer, buffer, 32);
    CHECK_BYTES(buffer, plaintext, 32);

    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 1) == TATU_OK); /* the next message goes on where the last ended */
    CHECK_BYTES(buffer, next, 16);

    ctr.blocks_left = 1;
    memset(buffer, 1, sizeof buffer);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 17) == TATU_ERR_EXHAUSTED);
    CHECK(kit_is_zero(buffer, 33) && buffer[33] == 1);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 16) == TATU_OK);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 1) == TATU_ERR_EXHAUSTED);

    entropy.left = 3;
    CHECK(tatu_ctr_start(&ctr, tatu_aes128_encrypter(&key_context), kit_entropy_take, &entropy) == TATU_ERR_ENTROPY);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 1) == TATU_ERR_EXHAUSTED);
    memset(buffer, 1, sizeof buffer);
    /* Nothing of what the failed source gave goes out. */
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 0) == TATU_ERR_EXHAUSTED);
    CHECK(kit_is_zero(buffer, 16) && buffer[16] == 1);

    memset(&ctr, 0, sizeof ctr); /* never started: no cipher, no block */
    memset(buffer, 1, sizeof buffer);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 0) == TATU_ERR_EXHAUSTED);
    CHECK(tatu_ctr_encrypt(&ctr, buffer, plaintext, 5) == TATU_ERR_EXHAUSTED);
    CHECK(kit_is_zero(buffer, 5) && buffer[5] == 1);
}

int main(void)
{
    uint8_t key[16];

    kit_bytes(key, KEY);
    kit_bytes(plaintext, FIRST_BLOCKS);
    tatu_aes128_set_key(&key_context, key);
    check_ecb();
    check_cbc();
    check_ctr();
    return kit_result();
}
