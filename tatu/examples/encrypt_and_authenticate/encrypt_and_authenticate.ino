// Authenticated encryption with each cipher that Tatu has for it: Ascon-AEAD128, AES-128-CCM, ChaCha20-Poly1305. The
// other end knows the nonce, or it is sent along. A nonce must never be used twice with one key: here a number
// counts, which a real program keeps through resets (example encrypt_reading, or TatuLink).
//
// Choose Ascon between small devices, CCM where a radio's standard asks for it, ChaCha20-Poly1305 where the other end
// is a computer. AES-GCM (tatu/gcm.h) is for Cortex-M4 and larger; so it is not compiled for an AVR.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <string.h>
#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>
#if !defined(__AVR__)
#include <tatu/gcm.h>
#endif

static const char MESSAGE[] = "12 mm of rain";
static const uint8_t LENGTH = sizeof MESSAGE - 1;
static const uint8_t HEADER[] = {'s', 'e', 'n', 's', 'o', 'r', ' ', '7'}; // not secret, but must not be changed

static uint8_t key[32];
static uint8_t nonce[16];
static uint8_t sealed[LENGTH];
static uint8_t opened[LENGTH + 1];
static uint8_t tag[16];

static void say(const __FlashStringHelper *name, int sealing, int opening)
{
    Serial.print(name);
    Serial.print(F(": "));
    if (sealing == TATU_OK && opening == TATU_OK) {
        Serial.println(reinterpret_cast<const char *>(opened));
    } else {
        Serial.println(F("refused"));
    }
}

static void next_nonce()
{
    nonce[0]++;
}

static void with_ascon(bool is_changed)
{
    next_nonce();
    const int sealing = tatu_ascon_aead128_encrypt(key, sealed, reinterpret_cast<const uint8_t *>(MESSAGE), LENGTH,
                                                   HEADER, sizeof HEADER, nonce, tag, sizeof tag);
    sealed[0] ^= is_changed;
    const int opening = tatu_ascon_aead128_decrypt(key, opened, sealed, LENGTH, HEADER, sizeof HEADER, nonce, tag,
                                                   sizeof tag);
    say(F("Ascon-AEAD128"), sealing, opening);
}

static void with_ccm()
{
    tatu_aes128_small aes;

    next_nonce();
    tatu_aes128_small_set_key(&aes, key);
    const int sealing =
        tatu_ccm_encrypt(tatu_aes128_small_encrypter(&aes), sealed, reinterpret_cast<const uint8_t *>(MESSAGE), LENGTH,
                         HEADER, sizeof HEADER, nonce, TATU_CCM_LONGEST_NONCE_BYTES, tag, 8);
    const int opening = tatu_ccm_decrypt(tatu_aes128_small_encrypter(&aes), opened, sealed, LENGTH, HEADER,
                                         sizeof HEADER, nonce, TATU_CCM_LONGEST_NONCE_BYTES, tag, 8);
    say(F("AES-128-CCM"), sealing, opening);
}

static void with_chacha20()
{
    next_nonce();
    const int sealing = tatu_chacha20_poly1305_encrypt(key, sealed, reinterpret_cast<const uint8_t *>(MESSAGE), LENGTH,
                                                       HEADER, sizeof HEADER, nonce, tag);
    const int opening =
        tatu_chacha20_poly1305_decrypt(key, opened, sealed, LENGTH, HEADER, sizeof HEADER, nonce, tag);
    say(F("ChaCha20-Poly1305"), sealing, opening);
}

#if !defined(__AVR__)
static void with_gcm()
{
    tatu_aes128 aes;
    tatu_gcm_key gcm;

    next_nonce();
    tatu_aes128_set_key(&aes, key);
    int sealing = tatu_gcm_set_key(&gcm, tatu_aes128_encrypter(&aes));
    if (sealing == TATU_OK) {
        sealing = tatu_gcm_encrypt(&gcm, sealed, reinterpret_cast<const uint8_t *>(MESSAGE), LENGTH, HEADER,
                                   sizeof HEADER, nonce, tag, sizeof tag);
    }
    const int opening =
        tatu_gcm_decrypt(&gcm, opened, sealed, LENGTH, HEADER, sizeof HEADER, nonce, tag, sizeof tag);
    say(F("AES-128-GCM"), sealing, opening);
}
#endif

void setup()
{
    Serial.begin(9600);
    memset(key, 1, sizeof key); // an example's key: make your own, and keep it out of the sketch
    with_ascon(false);
    with_ccm();
    with_chacha20();
#if !defined(__AVR__)
    with_gcm();
#endif
    with_ascon(true); // a bit of the message was changed on the way
}

void loop()
{
}
