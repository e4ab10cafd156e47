/* An Arduino UNO that protects a reading of 16 bytes for the radio, in one of these ways:
 *
 *   PROTECT_ECB    AES-128 in ECB, as the study did                                    16 bytes
 *   PROTECT_CBC    AES-128 in CBC with a fresh IV                                      32
 *   PROTECT_HMAC   the same, and 16 bytes of HMAC-SHA-256 of IV and ciphertext         48
 *   PROTECT_CCM    AES-128-CCM, a counter of 8 bytes as its nonce, a tag of 8          32
 *   PROTECT_ASCON  Ascon-AEAD128, the same counter in its nonce, a tag of 8            32
 *
 * The serial port sends the packets. The laboratory counts the calls of `seal`. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/cbc.h>
#include <tatu/ccm.h>
#include <tatu/drbg.h>
#include <tatu/hmac_sha256.h>

#define READING_BYTES 16
#define COUNTER_BYTES 8
#define SHORT_TAG_BYTES 8
#define HASH_TAG_BYTES 16
#define MESSAGES 4

static const uint8_t secret[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                   0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static uint8_t reading[READING_BYTES];

#if defined(PROTECT_ECB)
static struct tatu_aes128 key;
static uint8_t packet[READING_BYTES];

__attribute__((noinline)) int seal(void)
{
    tatu_aes128_encrypt(&key, packet, reading);
    return TATU_OK;
}
#elif defined(PROTECT_CBC) || defined(PROTECT_HMAC)
#define SEALED_BYTES (TATU_AES_BLOCK_BYTES + READING_BYTES)
static struct tatu_aes128 key;
static struct tatu_drbg generator;

#if defined(PROTECT_CBC)
static uint8_t packet[SEALED_BYTES];
#else
static const uint8_t tag_secret[32] = {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae,
                                       0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61,
                                       0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
static uint8_t packet[SEALED_BYTES + HASH_TAG_BYTES];
#endif

/* Here to have the same IVs in every run; a device seeds from its own source (tatu/entropy_avr.h). */
static int seed_of_the_run(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0x5a, length);
    return TATU_OK;
}

__attribute__((noinline)) int seal(void)
{
    int status =
        tatu_cbc_encrypt(tatu_aes128_encrypter(&key), packet, reading, READING_BYTES, tatu_drbg_generate, &generator);
#if defined(PROTECT_HMAC)
    uint8_t tag[TATU_HMAC_SHA256_TAG_BYTES];
    tatu_hmac_sha256(tag_secret, sizeof tag_secret, tag, packet, SEALED_BYTES);
    memcpy(packet + SEALED_BYTES, tag, HASH_TAG_BYTES);
#endif
    return status;
}
#else
static uint8_t packet[COUNTER_BYTES + READING_BYTES + SHORT_TAG_BYTES];

static void count(void)
{
    uint8_t at = COUNTER_BYTES;
    while (at > 0 && ++packet[--at] == 0) {
    }
}

#if defined(PROTECT_CCM)
static struct tatu_aes128 key;

__attribute__((noinline)) int seal(void)
{
    count();
    return tatu_aes128_ccm_encrypt(&key, packet + COUNTER_BYTES, reading, READING_BYTES, NULL, 0, packet, COUNTER_BYTES,
                                   packet + COUNTER_BYTES + READING_BYTES, SHORT_TAG_BYTES);
}
#else
__attribute__((noinline)) int seal(void)
{
    uint8_t nonce[16] = {0};
    count();
    memcpy(nonce, packet, COUNTER_BYTES);
    return tatu_ascon_aead128_encrypt(secret, packet + COUNTER_BYTES, reading, READING_BYTES, NULL, 0, nonce,
                                      packet + COUNTER_BYTES + READING_BYTES, SHORT_TAG_BYTES);
}
#endif
#endif

static void send(const uint8_t *bytes, uint8_t length)
{
    for (uint8_t at = 0; at < length; at++) {
        while (!(UCSR0A & (1 << UDRE0))) {
        }
        UDR0 = bytes[at];
    }
}

int main(void)
{
    int status = TATU_OK;
    UBRR0 = 0;
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << TXEN0;
    cli();
#if !defined(PROTECT_ASCON)
    tatu_aes128_set_key(&key, secret);
#endif
#if defined(PROTECT_CBC) || defined(PROTECT_HMAC)
    status = tatu_drbg_start(&generator, seed_of_the_run, NULL);
#endif
    for (uint8_t message = 0; message < MESSAGES && status == TATU_OK; message++) {
        memset(reading, 0x11, sizeof reading);
        status = seal();
        send(packet, sizeof packet);
    }
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    sleep_enable();
    for (;;) {
        sleep_cpu();
    }
}
