/* Runs on the device: for messages of 0 to LENGTHS - 1 bytes, at an odd address, CMAC with AES-128 (16 bytes) and with
 * Speck-64 (8), both in one piece and AES also in two, a CMAC of 5 bytes, the key stream of CTR with AES-128, and CCM of
 * plain AES-128, which adds to blocks, and of tiny AES-128, which does not (LENGTHS bytes of output, of which those
 * beyond the message stay 0xa5). Then the end and the tag of a message whose blocks the last byte of the counter cannot
 * count, if LONG is not 0. All goes out over the UART. */
#include <avr/io.h>
#include <string.h>

#include <tatu/aes.h>
#include <tatu/ccm.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/speck.h>

#define HALT 0x12

static uint8_t message[1 + 16 + LENGTHS], output[LENGTHS];
static uint8_t long_message[LONG + 1];
static struct tatu_aes128_tiny aes;
static struct tatu_aes128 plain;
static struct tatu_speck64_128_tiny speck;
static struct tatu_cmac_key aes_key, speck_key;

static void send(const uint8_t *bytes, uint8_t length)
{
    for (; length > 0; length--) {
        loop_until_bit_is_set(UCSR0A, UDRE0);
        UDR0 = *bytes++;
    }
}

static void stop(void)
{
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}

static void send_tag(const struct tatu_cmac_key *key, uint8_t tag_length, uint8_t length)
{
    uint8_t tag[17];

    memset(tag, 0xa5, sizeof tag);
    if (tatu_cmac(key, tag, tag_length, message + 1, length) != TATU_OK || tag[tag_length] != 0xa5 ||
        tatu_cmac_verify(key, tag, tag_length, message + 1, length) != TATU_OK) {
        stop();
    }
    send(tag, tag_length);
    tag[0] ^= 1;
    if (tatu_cmac_verify(key, tag, tag_length, message + 1, length) != TATU_ERR_AUTHENTICATION) {
        stop();
    }
}

/* In place: encrypted, some bytes sent and the tag, and decrypted again. */
static void send_sealed(uint8_t *text, size_t length, const uint8_t *sent, uint8_t sent_length, uint8_t by_plain)
{
    const uint8_t *const nonce = message + 20, *const header = message + 2;
    uint8_t tag[16];
    int result;

    if (by_plain) {
        result = tatu_aes128_ccm_encrypt(&plain, text, text, length, header, length % 20, nonce, 13, tag, 16);
    } else {
        result = tatu_ccm_encrypt(tatu_aes128_tiny_encrypter(&aes), text, text, length, header, length % 20, nonce, 13,
                                  tag, 16);
    }
    if (result != TATU_OK) {
        stop();
    }
    send(sent, sent_length);
    send(tag, sizeof tag);
    if (by_plain) {
        result = tatu_aes128_ccm_decrypt(&plain, text, text, length, header, length % 20, nonce, 13, tag, 16);
    } else {
        result = tatu_ccm_decrypt(tatu_aes128_tiny_encrypter(&aes), text, text, length, header, length % 20, nonce, 13,
                                  tag, 16);
    }
    if (result != TATU_OK) {
        stop();
    }
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint8_t i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)(5 * i + 3);
    }
    tatu_aes128_tiny_set_key(&aes, message);
    tatu_aes128_set_key(&plain, message);
    tatu_speck64_128_tiny_set_key(&speck, message);
    tatu_cmac_set_key(&aes_key, tatu_aes128_tiny_encrypter(&aes));
    tatu_cmac_set_key(&speck_key, tatu_speck64_128_tiny_encrypter(&speck));
    for (uint8_t length = 0; length < LENGTHS; length++) {
        struct tatu_cmac mac;
        uint8_t tag[16];

        send_tag(&aes_key, 16, length);
        send_tag(&aes_key, 5, length);
        send_tag(&speck_key, 8, length);
        tatu_cmac_init(&mac, &aes_key);
        tatu_cmac_update(&mac, message + 1, length / 3);
        tatu_cmac_update(&mac, message + 1 + length / 3, length - length / 3);
        if (tatu_cmac_final(&mac, tag, sizeof tag) != TATU_OK) {
            stop();
        }
        send(tag, sizeof tag);
        memset(output, 0xa5, sizeof output);
        tatu_ctr_decrypt(tatu_aes128_tiny_encrypter(&aes), output, message + 1, length);
        send(output, sizeof output);
        for (uint8_t by_plain = 0; by_plain < 2; by_plain++) {
            memset(output, 0xa5, sizeof output);
            memcpy(output, message + 1, length);
            send_sealed(output, length, output, sizeof output, by_plain);
            if (memcmp(output, message + 1, length) != 0) {
                stop();
            }
        }
    }
    if (LONG > 0) {
        send_sealed(long_message, LONG, long_message + LONG - 16, 16, 1);
    }
    stop();
}
