/* Modes of block ciphers and the generator of random bytes, over the smallest contexts. */
#include <string.h>

#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/speck.h>

#include "transcript.h"

static uint8_t message[LONGEST], output[LONGEST + 16], back[LONGEST];

void transcript_modes(void)
{
    struct tatu_aes128_tiny aes;
    struct tatu_speck64_128_tiny speck;
    struct tatu_ctr ctr;
    struct tatu_drbg drbg;
    uint8_t key[16];

    begin_line("cbc");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 8)) {
        fill(key, sizeof key);
        fill(message, length);
        tatu_aes128_tiny_set_key(&aes, key);
        tatu_speck64_128_tiny_set_key(&speck, key);
        memset(output, 0, sizeof output);
        fold_result(tatu_cbc_encrypt(tatu_aes128_tiny_encrypter(&aes), output, message, length, random_entropy, NULL));
        fold(output, sizeof output);
        fold_result(tatu_cbc_decrypt(tatu_aes128_tiny_decrypter(&aes), back, output, length));
        fold(back, length);
        fold_result(
            tatu_cbc_encrypt(tatu_speck64_128_tiny_encrypter(&speck), output, message, length, random_entropy, NULL));
        fold(output, length + 8u);
        fold_result(tatu_cbc_decrypt(tatu_speck64_128_tiny_decrypter(&speck), back, output, length));
        fold(back, length);
    }
    end_line();
    begin_line("ctr");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 7)) {
        fill(key, sizeof key);
        fill(message, length);
        tatu_aes128_tiny_set_key(&aes, key);
        fold_result(tatu_ctr_start(&ctr, tatu_aes128_tiny_encrypter(&aes), random_entropy, NULL));
        fold_result(tatu_ctr_encrypt(&ctr, output, message, length));
        fold(output, length + 16u);
        tatu_ctr_decrypt(tatu_aes128_tiny_encrypter(&aes), back, output, length);
        fold(back, length);
    }
    end_line();
    begin_line("drbg");
    fold_result(tatu_drbg_start(&drbg, random_entropy, NULL));
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 9)) {
        fold_result(tatu_drbg_generate(&drbg, output, length));
        fold(output, length);
    }
    fold_result(tatu_drbg_reseed(&drbg, random_entropy, NULL));
    fold_result(tatu_drbg_generate(&drbg, output, LONGEST));
    fold(output, LONGEST);
    end_line();
}
