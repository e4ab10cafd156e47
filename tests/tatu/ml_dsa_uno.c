/* Verifies one signature of ML-DSA-44 on an ATmega328P. Key, message and signature are in flash: the file that the test
 * writes, ml_dsa_uno_vector.h, has them as PUBLIC_KEY, MESSAGE and SIGNATURE. What the verification returned goes to
 * the serial port; then comes what one of a changed message returned. */
#include <avr/io.h>
#include <avr/pgmspace.h>

#include <tatu/ml_dsa.h>

static const uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES] PROGMEM = {
#define PUBLIC_KEY
#include "ml_dsa_uno_vector.h"
#undef PUBLIC_KEY
};
static const uint8_t message[] PROGMEM = {
#define MESSAGE
#include "ml_dsa_uno_vector.h"
#undef MESSAGE
};
static const uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES] PROGMEM = {
#define SIGNATURE
#include "ml_dsa_uno_vector.h"
#undef SIGNATURE
};

static int read_flash(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy_P(bytes, (const uint8_t *)state + offset, length);
    return TATU_OK;
}

static __attribute__((noinline)) int hash_message(uint8_t representative[64], uint8_t change)
{
    struct tatu_ml_dsa_44_message hash;
    int result = tatu_ml_dsa_44_message_init(&hash, read_flash, (void *)public_key, NULL, 0);

    for (size_t i = 0; i < sizeof message; i++) {
        const uint8_t byte = pgm_read_byte(&message[i]) ^ change;
        tatu_ml_dsa_44_message_update(&hash, &byte, 1);
    }
    tatu_ml_dsa_44_message_final(&hash, representative);
    return result;
}

int verify(uint8_t change);
__attribute__((noinline)) int verify(uint8_t change)
{
    uint8_t representative[TATU_ML_DSA_REPRESENTATIVE_BYTES];
    int result = hash_message(representative, change);

    if (result == TATU_OK) {
        result = tatu_ml_dsa_44_verify_in_pieces(representative, read_flash, (void *)public_key, read_flash,
                                                 (void *)signature);
    }
    return result;
}

static void send(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

int main(void)
{
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    send((uint8_t)verify(0));
    send((uint8_t)verify(1));
    loop_until_bit_is_set(UCSR0A, UDRE0);
    for (;;) {
        __asm__ volatile("cli\n sleep");
    }
}
