/* Runs on the device: Ascon-AEAD128 or ChaCha20-Poly1305 (whichever AEAD_HEADER and the other definitions name) on messages of 0, STEP,
 * 2 * STEP... bytes, below LENGTHS, with half as much associated data, all of it from one endless pattern. For each
 * message the ciphertext, the tag and a verdict go out over the UART: the sum of what went wrong, see below. */
#include <avr/io.h>
#include <string.h>

#include AEAD_HEADER

#define HALT 0x12

#define NOT_THE_SAME_IN_PIECES 1
#define NOT_DECRYPTED 2
#define FORGERY_ACCEPTED 4
#define FORGERY_NOT_ZEROED 8

static uint8_t key[KEY_BYTES], nonce[NONCE_BYTES], associated_data[LENGTHS], tag[16], other_tag[16];
static uint8_t message[LENGTHS + 1], ciphertext[LENGTHS + 1], work[LENGTHS + 1];

static void send(const uint8_t *bytes, uint16_t length)
{
    for (; length > 0; length--) {
        loop_until_bit_is_set(UCSR0A, UDRE0);
        UDR0 = *bytes++;
    }
}

static void fill(uint8_t *bytes, uint16_t length)
{
    static uint32_t state = 1;
    for (; length > 0; length--) {
        state = 1664525 * state + 1013904223;
        *bytes++ = (uint8_t)(state >> 24);
    }
}

static uint8_t verdict(uint16_t length)
{
    uint8_t verdict = 0;
    struct ENCRYPTION encryption;

    ENCRYPT_INIT(&encryption, key, associated_data, length / 2, nonce);
    memcpy(work + 1, message + 1, length);
    ENCRYPT_UPDATE(&encryption, work + 1, length / 3);
    ENCRYPT_UPDATE(&encryption, work + 1 + length / 3, length - length / 3);
    ENCRYPT_FINAL(&encryption, other_tag);
    if (memcmp(work + 1, ciphertext + 1, length) != 0 || memcmp(tag, other_tag, 16) != 0) {
        verdict |= NOT_THE_SAME_IN_PIECES;
    }
    if (DECRYPT(work + 1, length, other_tag) != TATU_OK || memcmp(work + 1, message + 1, length) != 0) {
        verdict |= NOT_DECRYPTED;
    }
    memcpy(work + 1, ciphertext + 1, length);
    other_tag[length % 16] ^= 0x10;
    if (DECRYPT(work + 1, length, other_tag) != TATU_ERR_AUTHENTICATION) {
        verdict |= FORGERY_ACCEPTED;
    }
    for (uint16_t i = 1; i <= length; i++) {
        if (work[i] != 0) {
            verdict |= FORGERY_NOT_ZEROED;
        }
    }
    return verdict;
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint16_t length = 0; length < LENGTHS; length += STEP) {
        uint8_t problems;
        fill(key, sizeof key);
        fill(nonce, sizeof nonce);
        fill(associated_data, length / 2);
        fill(message + 1, length);
        problems = ENCRYPT(ciphertext + 1, message + 1, length) == TATU_OK ? 0 : 0x80;
        problems |= verdict(length);
        send(ciphertext + 1, length);
        send(tag, sizeof tag);
        send(&problems, 1);
    }
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}
