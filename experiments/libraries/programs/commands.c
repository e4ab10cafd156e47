/* An Arduino UNO that sends commands of 16 bytes, encrypted with AES-128. Three programs differ in the IV alone:
 *
 *   IV_NONE    ECB
 *   IV_FIXED   CBC; its IV is a constant of the program
 *   IV_FRESH   CBC; its IV comes from a generator that is seeded once after reset (SP 800-38A, appendix C)
 *
 * The serial port sends the packets: IV and ciphertext, 32 bytes each. The laboratory counts the calls of `seal`,
 * `new_iv` and `seed`. The commands of MESSAGES packets repeat: a switch is turned on, off and on again. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>

#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/drbg.h>
#include <tatu/entropy_avr.h>

#define MESSAGES 8
#define BLOCK TATU_AES_BLOCK_BYTES

static struct tatu_aes128 key;
static uint8_t command[BLOCK];
static uint8_t packet[2 * BLOCK];

#if defined(IV_FRESH)
TATU_ENTROPY_AVR_INTERRUPT()

static struct tatu_drbg generator;

__attribute__((noinline)) int seed(void)
{
    struct tatu_entropy_avr source;
    const int status = tatu_entropy_avr_start(&source);
    return status == TATU_OK ? tatu_drbg_start(&generator, tatu_entropy_avr_read, &source) : status;
}

__attribute__((noinline)) int new_iv(void *state, uint8_t *output, size_t length)
{
    (void)state;
    return tatu_drbg_generate(&generator, output, length);
}
#elif defined(IV_FIXED)
/* What no program may do: it is here to be shown. */
__attribute__((noinline)) int new_iv(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0, length);
    return TATU_OK;
}
#endif

__attribute__((noinline)) int seal(void)
{
#if defined(IV_NONE)
    tatu_aes128_encrypt(&key, packet + BLOCK, command);
    return TATU_OK;
#else
    return tatu_cbc_encrypt(tatu_aes128_encrypter(&key), packet, command, BLOCK, new_iv, NULL);
#endif
}

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
    static const uint8_t secret[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                       0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    int status = TATU_OK;
    UBRR0 = 0;
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << TXEN0;
    sei();
#if defined(IV_FRESH)
    status = seed();
#endif
    cli();
    tatu_aes128_set_key(&key, secret);
    for (uint8_t message = 0; message < MESSAGES && status == TATU_OK; message++) {
        memset(command, 0, BLOCK);
        memcpy(command, message % 2 ? "switch 4 off" : "switch 4 on", message % 2 ? 12 : 11);
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
