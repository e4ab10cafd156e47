/* Runs on the device: Ascon decryption in two passes, for messages and pieces of many lengths, against encryption of
 * whole messages (which other tests hold against known answers); then 32 bytes of Ascon-CXOF128 of the empty message
 * with the customization 10; then a sealed message opened again. Sends a dot for each good message, an F for a bad one,
 * the 32 bytes, and a dot or an F. */
#include <avr/io.h>
#include <string.h>

#include <tatu/ascon.h>
#include <tatu/sealed.h>

#define HALT 0x12
#define LONGEST 60

static const uint8_t key[16] = {1}, nonce[16] = {2}, header[8] = {3};
static uint8_t plaintext[LONGEST], ciphertext[LONGEST], output[LONGEST + TATU_SEALED_MORE_BYTES], tag[16];

static void send(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

static uint8_t piece_of(uint8_t length, uint8_t at, uint8_t piece)
{
    return (uint8_t)(length - at) < piece ? (uint8_t)(length - at) : piece;
}

static int two_passes_hold(uint8_t length, uint8_t piece)
{
    struct tatu_ascon_aead128_decryption decryption;
    int result = tatu_ascon_aead128_encrypt(key, ciphertext, plaintext, length, header, 5, nonce, tag, 16);

    tatu_ascon_aead128_decrypt_init(&decryption, key, header, 5, nonce);
    for (uint8_t at = 0; at < length; at = (uint8_t)(at + piece)) {
        tatu_ascon_aead128_decrypt_check(&decryption, ciphertext + at, piece_of(length, at, piece));
    }
    result |= tatu_ascon_aead128_decrypt_verify(&decryption, tag, 16);
    for (uint8_t at = 0; at < length; at = (uint8_t)(at + piece)) {
        result |=
            tatu_ascon_aead128_decrypt_update(&decryption, output + at, ciphertext + at, piece_of(length, at, piece));
    }
    result |= tatu_ascon_aead128_decrypt_final(&decryption);
    return result == TATU_OK && memcmp(output, plaintext, length) == 0;
}

static int sealing_holds(void)
{
    struct tatu_nonces nonces;
    int result;

    tatu_nonces_start(&nonces, header, 0x1ff, 1);
    memcpy(output, plaintext, LONGEST);
    result = tatu_seal(key, output, output, LONGEST, header, 5, tatu_nonces_take, &nonces);
    result |= output[14] != 1 || output[15] != 0xff;
    result |= tatu_unseal(key, output, output, sizeof output, header, 5);
    return result == TATU_OK && memcmp(output, plaintext, LONGEST) == 0;
}

int main(void)
{
    static const uint8_t customization = 0x10;

    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint8_t i = 0; i < LONGEST; i++) {
        plaintext[i] = (uint8_t)(7 * i + 1);
    }
    for (uint8_t length = 0; length < LONGEST; length = (uint8_t)(length + 3)) {
        for (uint8_t piece = 1; piece < 40; piece = (uint8_t)(piece + 5)) {
            send(two_passes_hold(length, piece) ? '.' : 'F');
        }
    }
    if (tatu_ascon_cxof128(output, 32, NULL, 0, &customization, 1) == TATU_OK) {
        for (uint8_t i = 0; i < 32; i++) {
            send(output[i]);
        }
    }
    send(sealing_holds() ? '.' : 'F');
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}
