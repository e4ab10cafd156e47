/* Sealed messages: what they are made of (Ascon-AEAD128 over nonce, message and tag), in place and apart, what is
 * refused, and reserved nonces that run out. */
#include <tatu/ascon.h>
#include <tatu/sealed.h>

#include "kit.h"

#define LONGEST 50

static const uint8_t key[16] = {1, 2, 3}, sender[8] = {9, 8, 7, 6, 5, 4, 3, 2}, header[3] = {7, 7, 7};

static void check_length(size_t length)
{
    static const uint8_t nonce[16] = {9, 8, 7, 6, 5, 4, 3, 2, 0, 0, 0, 1, 0, 0, 0, 0xff};
    uint8_t message[LONGEST], expected[LONGEST + 32], packet[LONGEST + 32], opened[LONGEST + 32];
    struct tatu_nonces nonces;

    kit_fill(message, sizeof message);
    memcpy(expected, nonce, 16);
    CHECK(tatu_ascon_aead128_encrypt(key, expected + 16, message, length, header, 3, nonce, expected + 16 + length,
                                     16) == TATU_OK);
    /* apart, at the beginning of the packet, and where the ciphertext will be */
    for (int place = 0; place < 3; place++) {
        const uint8_t *const input = place == 0 ? message : place == 1 ? packet : packet + 16;

        memmove(packet + (place == 2 ? 16 : 0), message, length);
        tatu_nonces_start(&nonces, sender, UINT64_C(0x1000000ff), 1);
        CHECK(tatu_seal(key, packet, input, length, header, 3, tatu_nonces_take, &nonces) == TATU_OK);
        CHECK_BYTES(packet, expected, length + 32);
        CHECK(tatu_seal(key, packet, message, length, header, 3, tatu_nonces_take, &nonces) == TATU_ERR_EXHAUSTED);
        CHECK(kit_is_zero(packet, length + 32));
    }
    for (int place = 0; place < 3; place++) {
        uint8_t *const output = place == 0 ? opened : place == 1 ? packet : packet + 16;

        memcpy(packet, expected, length + 32);
        CHECK(tatu_unseal(key, output, packet, length + 32, header, 3) == TATU_OK);
        CHECK_BYTES(output, message, length);
        for (size_t i = 0; i < length + 32; i++) {
            memcpy(packet, expected, length + 32);
            packet[i] ^= 0x10;
            CHECK(tatu_unseal(key, output, packet, length + 32, header, 3) == TATU_ERR_AUTHENTICATION);
            CHECK(kit_is_zero(output, length));
        }
        memcpy(packet, expected, length + 32);
        CHECK(tatu_unseal(key, output, packet, length + 32, header, 2) == TATU_ERR_AUTHENTICATION);
    }
    /* the plaintext does not stay behind the message that moved down */
    memcpy(packet, expected, length + 32);
    CHECK(tatu_unseal(key, packet, packet, length + 32, header, 3) == TATU_OK);
    CHECK(kit_is_zero(packet + (length > 16 ? length : 16), length > 16 ? 16 : length));
    for (size_t short_length = 0; short_length < 32; short_length++) {
        CHECK(tatu_unseal(key, opened, expected, short_length, header, 3) == TATU_ERR_LENGTH);
    }
}

int main(void)
{
    static const uint8_t random[16] = {42, 43, 44};
    struct kit_entropy entropy = {random, sizeof random};
    struct tatu_nonces nonces;
    uint8_t packet[4 + 32], output[17];

    for (size_t length = 0; length <= LONGEST; length++) {
        check_length(length);
    }
    CHECK(tatu_seal(key, packet, random, 4, NULL, 0, kit_entropy_take, &entropy) == TATU_OK);
    CHECK_BYTES(packet, random, 16);
    CHECK(tatu_seal(key, packet, random, 4, NULL, 0, kit_entropy_take, &entropy) == TATU_ERR_ENTROPY);
    CHECK(kit_is_zero(packet, sizeof packet));
    CHECK(tatu_unseal(key, NULL, NULL, 0, NULL, 0) == TATU_ERR_LENGTH);

    tatu_nonces_start(&nonces, sender, UINT64_C(0xfffffffe), 3);
    for (uint8_t i = 0; i < 3; i++) {
        static const uint8_t numbers[3][8] = {
            {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe}, {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, {0, 0, 0, 1, 0, 0, 0, 0}};

        CHECK(tatu_nonces_take(&nonces, output, 17) == TATU_ERR_LENGTH);
        CHECK(tatu_nonces_take(&nonces, output, 16) == TATU_OK);
        CHECK_BYTES(output, sender, 8);
        CHECK_BYTES(output + 8, numbers[i], 8);
    }
    CHECK(tatu_nonces_take(&nonces, output, 16) == TATU_ERR_EXHAUSTED);
    CHECK(kit_is_zero(output, 16));
    memset(&nonces, 0, sizeof nonces);
    CHECK(tatu_nonces_take(&nonces, output, 16) == TATU_ERR_EXHAUSTED);
    return kit_result();
}
