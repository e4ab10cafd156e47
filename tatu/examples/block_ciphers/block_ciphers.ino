// Block ciphers and the modes of old protocols. For something new, use encrypt_and_authenticate: these modes do not
// notice that a message was changed, and ECB shows which blocks are equal.
//
// AES-128 and Speck encrypt the examples of their standards, so that you can compare. CBC and CTR make their own
// initial vector from a generator: it cannot be passed in by mistake.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <string.h>
#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/ecb.h>
#include <tatu/entropy_avr.h>
#include <tatu/rc6.h>
#include <tatu/speck.h>

TATU_ENTROPY_AVR_INTERRUPT()

static tatu_drbg generator;

static void print(const __FlashStringHelper *name, const uint8_t *bytes, uint8_t length)
{
    Serial.print(name);
    Serial.print(F(": "));
    for (uint8_t i = 0; i < length; i++) {
        if (bytes[i] < 16) {
            Serial.print('0');
        }
        Serial.print(bytes[i], HEX);
    }
    Serial.println();
}

static void count_up(uint8_t *bytes, uint8_t length, uint8_t step)
{
    for (uint8_t i = 0; i < length; i++) {
        bytes[i] = i * step;
    }
}

static void single_blocks()
{
    uint8_t key[16], block[16];
    tatu_aes128_small aes;
    tatu_speck64_128_tiny speck;
    tatu_rc6 rc6;

    count_up(key, sizeof key, 1);
    count_up(block, sizeof block, 0x11);
    tatu_aes128_small_set_key(&aes, key);
    tatu_aes128_small_encrypt(&aes, block, block); // FIPS 197, appendix C.1
    print(F("AES-128"), block, sizeof block);
    tatu_speck64_128_tiny_set_key(&speck, key);
    memcpy(block, "hello you", 8);
    tatu_speck64_128_tiny_encrypt(&speck, block, block);
    print(F("Speck-64/128"), block, 8);
    memset(key, 0, sizeof key);
    memset(block, 0, sizeof block);
    tatu_rc6_128_set_key(&rc6, key);
    tatu_rc6_encrypt(&rc6, block, block); // the first example of the paper "The RC6 Block Cipher"
    print(F("RC6-128"), block, sizeof block);
}

static void modes()
{
    uint8_t key[16], message[32], sealed[16 + sizeof message];
    tatu_aes128 aes;
    struct tatu_aes128_small_decrypt small_decrypt; // a function has this name too
    tatu_ctr ctr;

    count_up(key, sizeof key, 3);
    memset(message, 'x', sizeof message);
    tatu_aes128_set_key(&aes, key);
    if (tatu_ecb_leaky_encrypt(tatu_aes128_encrypter(&aes), sealed, message, sizeof message) == TATU_OK &&
        memcmp(sealed, sealed + 16, 16) == 0) {
        Serial.println(F("ECB: equal blocks stay equal"));
    }
    tatu_aes128_small_set_decrypt_key(&small_decrypt, key);
    if (tatu_cbc_encrypt(tatu_aes128_encrypter(&aes), sealed, message, sizeof message, tatu_drbg_generate,
                         &generator) == TATU_OK &&
        tatu_cbc_decrypt(tatu_aes128_small_decrypter(&small_decrypt), message, sealed, sizeof message) == TATU_OK) {
        Serial.println(message[0] == 'x' ? F("CBC: decrypted") : F("CBC: wrong"));
    }
    if (tatu_ctr_start(&ctr, tatu_aes128_encrypter(&aes), tatu_drbg_generate, &generator) == TATU_OK &&
        tatu_ctr_encrypt(&ctr, sealed, message, sizeof message) == TATU_OK) {
        tatu_ctr_decrypt(tatu_aes128_encrypter(&aes), message, sealed, sizeof message);
        Serial.println(message[0] == 'x' ? F("CTR: decrypted") : F("CTR: wrong"));
    }
}

void setup()
{
    tatu_entropy_avr source;

    Serial.begin(9600);
    single_blocks();
    Serial.println(F("collecting randomness takes 17 seconds"));
    if (tatu_entropy_avr_start(&source) == TATU_OK &&
        tatu_drbg_start(&generator, tatu_entropy_avr_read, &source) == TATU_OK) {
        modes();
    } else {
        Serial.println(F("no entropy: nothing is encrypted"));
    }
    tatu_wipe(&source, sizeof source);
}

void loop()
{
}
