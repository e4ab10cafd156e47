/* Calls the modes on the device, so that the laboratory can count the calls: for one, two and nine blocks. */
#include <avr/io.h>

#include <tatu/aes.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/error.h>

#define HALT 0x12

static uint8_t message[144], output[16 + 144], tag[16], long_key[32];
static struct tatu_aes128 key;
static struct tatu_cmac_key cmac_key;
static struct tatu_ctr ctr;

static int zeros(void *state, uint8_t *bytes, size_t length)
{
    (void)state;
    for (; length > 0; length--) {
        *bytes++ = 0;
    }
    return TATU_OK;
}

int main(void)
{
    static const uint8_t lengths[] = {16, 32, 144};
    int wrong = 0;

    tatu_aes128_set_key(&key, message);
    tatu_aes128_encrypt(&key, output, message);
    tatu_cmac_set_key(&cmac_key, tatu_aes128_encrypter(&key));
    wrong |= tatu_ctr_start(&ctr, tatu_aes128_encrypter(&key), zeros, NULL);
    for (uint8_t i = 0; i < sizeof lengths; i++) {
        wrong |= tatu_cmac(&cmac_key, tag, sizeof tag, message, lengths[i]);
        wrong |= tatu_ctr_encrypt(&ctr, output, message, lengths[i]);
        wrong |= tatu_aes128_ccm_encrypt(&key, output, message, lengths[i], NULL, 0, message, 13, tag, sizeof tag);
        wrong |= tatu_chacha20_poly1305_encrypt(long_key, output, message, lengths[i], NULL, 0, message, tag);
        wrong |= tatu_chacha20_poly1305_decrypt(long_key, output, output, lengths[i], NULL, 0, message, tag);
    }
    if (wrong == TATU_OK) {
        GPIOR0 = HALT;
    }
    for (;;) {
    }
}
