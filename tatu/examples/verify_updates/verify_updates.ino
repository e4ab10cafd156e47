// Receives a message with its signature over the serial port and says whether the signature holds. The message is
// never whole in memory, and with LMS and SLH-DSA the signature neither: that is how a device of 2 KB checks new
// firmware.
//
// First comes a letter: L for LMS, S for SLH-DSA-SHA2-128s (both resist quantum computers), R for RSA-2048 with PSS,
// which needs more than the 2 KB of RAM of an UNO: there it is refused.
// Then the message's length, two bytes, the high one first. Then for L and S: the beginning of the signature, the
// message, and the rest of the signature, whose length is two bytes before it; for R: the message, and the signature.
//
// The public keys belong into this sketch: put yours in.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <tatu/lms.h>
#include <tatu/rsa.h>
#include <tatu/sha256.h>
#include <tatu/slh_dsa.h>

static const uint8_t LMS_PUBLIC_KEY[TATU_LMS_PUBLIC_KEY_BYTES] = {0, 0, 0, 1}; // yours
static const uint8_t SLH_DSA_PUBLIC_KEY[TATU_SLH_DSA_SHA2_128S_PUBLIC_KEY_BYTES] = {0};
static const uint8_t PIECE_BYTES = 32;

static uint8_t receive_byte()
{
    while (Serial.available() == 0) {
    }
    return Serial.read();
}

static void receive(uint8_t *bytes, uint16_t length)
{
    for (uint16_t i = 0; i < length; i++) {
        bytes[i] = receive_byte();
    }
}

static uint16_t receive_length()
{
    const uint8_t high = receive_byte();
    return high << 8 | receive_byte();
}

// Calls `take` with one piece after the other.
template <typename Take> static void in_pieces(uint16_t length, Take take)
{
    uint8_t piece[PIECE_BYTES];

    while (length > 0) {
        const uint8_t bytes = length < PIECE_BYTES ? length : PIECE_BYTES;
        receive(piece, bytes);
        take(piece, bytes);
        length -= bytes;
    }
}

static bool verify_lms()
{
    tatu_lms lms;
    uint8_t beginning[TATU_LMS_BEGINNING_BYTES];
    const uint16_t length = receive_length();

    receive(beginning, sizeof beginning);
    if (tatu_lms_init(&lms, LMS_PUBLIC_KEY, beginning) != TATU_OK) {
        return false;
    }
    in_pieces(length, [&](const uint8_t *piece, uint8_t bytes) { tatu_lms_update_message(&lms, piece, bytes); });
    in_pieces(receive_length(),
              [&](const uint8_t *piece, uint8_t bytes) { tatu_lms_update_signature(&lms, piece, bytes); });
    return tatu_lms_final(&lms) == TATU_OK;
}

static bool verify_slh_dsa()
{
    tatu_slh_dsa_sha2_128s slh;
    uint8_t beginning[TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES];
    const uint16_t length = receive_length();

    receive(beginning, sizeof beginning);
    if (tatu_slh_dsa_sha2_128s_init(&slh, SLH_DSA_PUBLIC_KEY, beginning, NULL, 0) != TATU_OK) {
        return false;
    }
    in_pieces(length, [&](const uint8_t *piece, uint8_t bytes) {
        tatu_slh_dsa_sha2_128s_update_message(&slh, piece, bytes);
    });
    in_pieces(receive_length(), [&](const uint8_t *piece, uint8_t bytes) {
        tatu_slh_dsa_sha2_128s_update_signature(&slh, piece, bytes);
    });
    return tatu_slh_dsa_sha2_128s_final(&slh) == TATU_OK;
}

#if !defined(RAMEND) || RAMEND > 0x8ff
static bool verify_rsa()
{
    static uint8_t modulus[TATU_RSA2048_BYTES] = {0x80}; // yours
    uint8_t signature[TATU_RSA2048_BYTES];
    uint8_t digest[TATU_SHA256_DIGEST_BYTES];
    struct tatu_sha256 hash; // a function has this name too

    tatu_sha256_init(&hash);
    in_pieces(receive_length(),
              [&](const uint8_t *piece, uint8_t bytes) { tatu_sha256_update(&hash, piece, bytes); });
    tatu_sha256_final(&hash, digest);
    receive(signature, sizeof signature);
    return tatu_rsa2048_verify_pss(modulus, 65537, signature, digest) == TATU_OK;
}
#else
static bool verify_rsa()
{
    return false;
}
#endif

void setup()
{
    Serial.begin(9600);
}

void loop()
{
    const uint8_t scheme = receive_byte();
    const bool holds = scheme == 'L' ? verify_lms() : scheme == 'S' ? verify_slh_dsa() : scheme == 'R' && verify_rsa();

    Serial.println(holds ? F("the signature holds") : F("refused"));
}
