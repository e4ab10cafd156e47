/* Authenticated encryption: RFC 8439, section 2.8.2 (ChaCha20-Poly1305); SP 800-38C, example 1 (CCM); the key, nonce
 * and message of test case 3 of GCM's specification with associated data, by another implementation (GCM); and
 * Ascon-AEAD128 (NIST SP 800-232; a model of the standard computed the answer). Each message is opened again, and
 * every changed byte of the tag is noticed. */
#include <tatu/ascon.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>
#if !defined(__AVR__)
#include <tatu/gcm.h>
#endif

#include "kit.h"

#define LONGEST 128

struct message {
    uint8_t key[32], nonce[16], header[16], plaintext[LONGEST], ciphertext[LONGEST], tag[16];
    size_t nonce_length, header_length, length, tag_length;
};

typedef int seal_function(const struct message *message, uint8_t *output, uint8_t *tag);
typedef int open_function(const struct message *message, uint8_t *output, const uint8_t *input, const uint8_t *tag);

static int seal_ascon(const struct message *m, uint8_t *output, uint8_t *tag)
{
    return tatu_ascon_aead128_encrypt(m->key, output, m->plaintext, m->length, m->header, m->header_length, m->nonce,
                                      tag, m->tag_length);
}

static int open_ascon(const struct message *m, uint8_t *output, const uint8_t *input, const uint8_t *tag)
{
    return tatu_ascon_aead128_decrypt(m->key, output, input, m->length, m->header, m->header_length, m->nonce, tag,
                                      m->tag_length);
}

static int seal_chacha20_poly1305(const struct message *m, uint8_t *output, uint8_t *tag)
{
    return tatu_chacha20_poly1305_encrypt(m->key, output, m->plaintext, m->length, m->header, m->header_length,
                                          m->nonce, tag);
}

static int open_chacha20_poly1305(const struct message *m, uint8_t *output, const uint8_t *input, const uint8_t *tag)
{
    return tatu_chacha20_poly1305_decrypt(m->key, output, input, m->length, m->header, m->header_length, m->nonce, tag);
}

static int seal_ccm(const struct message *m, uint8_t *output, uint8_t *tag)
{
    struct tatu_aes128 aes;

    tatu_aes128_set_key(&aes, m->key);
    return tatu_aes128_ccm_encrypt(&aes, output, m->plaintext, m->length, m->header, m->header_length, m->nonce,
                                   m->nonce_length, tag, m->tag_length);
}

static int open_ccm(const struct message *m, uint8_t *output, const uint8_t *input, const uint8_t *tag)
{
    struct tatu_aes128 aes;

    tatu_aes128_set_key(&aes, m->key);
    return tatu_aes128_ccm_decrypt(&aes, output, input, m->length, m->header, m->header_length, m->nonce,
                                   m->nonce_length, tag, m->tag_length);
}

#if !defined(__AVR__)
static int seal_gcm(const struct message *m, uint8_t *output, uint8_t *tag)
{
    struct tatu_aes128 aes;
    struct tatu_gcm_key key;

    tatu_aes128_set_key(&aes, m->key);
    CHECK(tatu_gcm_set_key(&key, tatu_aes128_encrypter(&aes)) == TATU_OK);
    return tatu_gcm_encrypt(&key, output, m->plaintext, m->length, m->header, m->header_length, m->nonce, tag,
                            m->tag_length);
}

static int open_gcm(const struct message *m, uint8_t *output, const uint8_t *input, const uint8_t *tag)
{
    struct tatu_aes128 aes;
    struct tatu_gcm_key key;

    tatu_aes128_set_key(&aes, m->key);
    CHECK(tatu_gcm_set_key(&key, tatu_aes128_encrypter(&aes)) == TATU_OK);
    return tatu_gcm_decrypt(&key, output, input, m->length, m->header, m->header_length, m->nonce, tag, m->tag_length);
}
#endif

static void check(seal_function *seal, open_function *open, const char *key, const char *nonce, const char *header,
                  const char *plaintext, const char *ciphertext, const char *tag)
{
    struct message message;
    uint8_t output[LONGEST], made[16];

    kit_bytes(message.key, key);
    message.nonce_length = kit_bytes(message.nonce, nonce);
    message.header_length = kit_bytes(message.header, header);
    message.length = kit_bytes(message.plaintext, plaintext);
    CHECK(kit_bytes(message.ciphertext, ciphertext) == message.length);
    message.tag_length = kit_bytes(message.tag, tag);
    CHECK(seal(&message, output, made) == TATU_OK);
    CHECK_BYTES(output, message.ciphertext, message.length);
    CHECK_BYTES(made, message.tag, message.tag_length);
    CHECK(open(&message, output, message.ciphertext, message.tag) == TATU_OK);
    CHECK_BYTES(output, message.plaintext, message.length);
    for (size_t i = 0; i < message.tag_length; i++) {
        made[i] ^= 1;
        CHECK(open(&message, output, message.ciphertext, made) == TATU_ERR_AUTHENTICATION);
        CHECK(kit_is_zero(output, message.length));
        made[i] ^= 1;
    }
}

/* A message in pieces that was ended gives zeros: its state is zeros, so the plaintext would leave as it is. */
static void check_an_ended_message(void)
{
    static const uint8_t key[16] = {1}, nonce[16] = {2}, plaintext[20] = {3};
    struct tatu_ascon_aead128_encryption encryption;
    uint8_t output[20], tag[16], whole[20], whole_tag[16];

    CHECK(tatu_ascon_aead128_encrypt(key, whole, plaintext, 20, NULL, 0, nonce, whole_tag, 16) == TATU_OK);
    tatu_ascon_aead128_encrypt_init(&encryption, key, NULL, 0, nonce);
    tatu_ascon_aead128_encrypt_update(&encryption, output, plaintext, 3);
    tatu_ascon_aead128_encrypt_update(&encryption, output + 3, plaintext + 3, 17);
    CHECK(tatu_ascon_aead128_encrypt_final(&encryption, tag, 16) == TATU_OK);
    CHECK_BYTES(output, whole, 20);
    CHECK_BYTES(tag, whole_tag, 16);
    tatu_ascon_aead128_encrypt_update(&encryption, output, plaintext, 20);
    CHECK(kit_is_zero(output, 20));
    CHECK(tatu_ascon_aead128_encrypt_final(&encryption, tag, 16) == TATU_ERR_STATE);
    CHECK(kit_is_zero(tag, 16));
}

/* The same of ChaCha20-Poly1305, where the error also comes back. */
static void check_an_ended_message_of_chacha20_poly1305(void)
{
    static const uint8_t key[32] = {1}, nonce[12] = {2}, plaintext[20] = {3};
    struct tatu_chacha20_poly1305_encryption encryption;
    uint8_t output[20], tag[16], whole[20], whole_tag[16];

    CHECK(tatu_chacha20_poly1305_encrypt(key, whole, plaintext, 20, NULL, 0, nonce, whole_tag) == TATU_OK);
    tatu_chacha20_poly1305_encrypt_init(&encryption, key, NULL, 0, nonce);
    CHECK(tatu_chacha20_poly1305_encrypt_update(&encryption, output, plaintext, 3) == TATU_OK);
    CHECK(tatu_chacha20_poly1305_encrypt_update(&encryption, output + 3, plaintext + 3, 17) == TATU_OK);
    CHECK(tatu_chacha20_poly1305_encrypt_final(&encryption, tag) == TATU_OK);
    CHECK_BYTES(output, whole, 20);
    CHECK_BYTES(tag, whole_tag, 16);
    CHECK(tatu_chacha20_poly1305_encrypt_update(&encryption, output, plaintext, 20) == TATU_ERR_STATE);
    CHECK(kit_is_zero(output, 20));
    CHECK(tatu_chacha20_poly1305_encrypt_final(&encryption, tag) == TATU_ERR_STATE);
    CHECK(kit_is_zero(tag, 16));
}

/* In two passes, in pieces of one length and then of another. */
static void check_two_passes(size_t length, size_t piece, size_t other_piece)
{
    static const uint8_t key[16] = {1}, nonce[16] = {2}, header[5] = {3};
    struct tatu_ascon_aead128_decryption decryption;
    uint8_t plaintext[LONGEST], ciphertext[LONGEST], output[LONGEST], tag[16];

    kit_fill(plaintext, sizeof plaintext);
    CHECK(tatu_ascon_aead128_encrypt(key, ciphertext, plaintext, length, header, 5, nonce, tag, 16) == TATU_OK);
    for (int fault = 0; fault < 4; fault++) { /* 1: a wrong tag; 2: the ciphertext changes between; 3: no first pass */
        int result = TATU_OK;

        tatu_ascon_aead128_decrypt_init(&decryption, key, header, 5, nonce);
        for (size_t at = 0; at < length; at += piece) {
            const size_t taken = length - at < piece ? length - at : piece;

            CHECK(tatu_ascon_aead128_decrypt_update(&decryption, output, ciphertext + at, taken) == TATU_ERR_STATE);
            CHECK(kit_is_zero(output, taken));
            tatu_ascon_aead128_decrypt_check(&decryption, ciphertext + at, taken);
        }
        tag[7] ^= fault == 1;
        if (fault != 3) {
            result = tatu_ascon_aead128_decrypt_verify(&decryption, tag, 8);
        }
        tag[7] ^= fault == 1;
        CHECK(result == (fault == 1 ? TATU_ERR_AUTHENTICATION : TATU_OK));
        if (length == 0) {
            CHECK(tatu_ascon_aead128_decrypt_final(&decryption) == (fault % 2 != 0 ? TATU_ERR_STATE : TATU_OK));
            continue;
        }
        ciphertext[length / 2] ^= fault == 2;
        for (size_t at = 0; at < length; at += other_piece) {
            const size_t taken = length - at < other_piece ? length - at : other_piece;

            tatu_ascon_aead128_decrypt_check(&decryption, plaintext, fault == 3 ? 0 : 5); /* too late: nothing */
            result = tatu_ascon_aead128_decrypt_update(&decryption, output + at, ciphertext + at, taken);
            CHECK(result == (fault % 2 != 0 ? TATU_ERR_STATE : TATU_OK));
        }
        ciphertext[length / 2] ^= fault == 2;
        CHECK(fault != 0 || memcmp(output, plaintext, length) == 0);
        CHECK(fault % 2 == 0 || kit_is_zero(output, length));
        result = tatu_ascon_aead128_decrypt_final(&decryption);
        CHECK(result == (fault == 0 ? TATU_OK : fault == 2 ? TATU_ERR_AUTHENTICATION : TATU_ERR_STATE));
        CHECK(kit_is_zero((uint8_t *)&decryption, sizeof decryption));
        CHECK(tatu_ascon_aead128_decrypt_update(&decryption, output, ciphertext, 1) == TATU_ERR_STATE);
    }
    tatu_ascon_aead128_decrypt_init(&decryption, key, header, 5, nonce);
    CHECK(tatu_ascon_aead128_decrypt_verify(&decryption, tag, 7) == TATU_ERR_LENGTH);
    CHECK(tatu_ascon_aead128_decrypt_verify(&decryption, tag, 16) == TATU_ERR_STATE);
}

int main(void)
{
    check_an_ended_message();
    check_an_ended_message_of_chacha20_poly1305();
    for (size_t length = 0; length <= 70; length++) {
        for (size_t piece = 1; piece <= 40; piece += 3) {
            check_two_passes(length, piece, 41 - piece);
        }
    }
    check(seal_ascon, open_ascon, "000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0f", "0001020304",
          "000102030405060708090a0b0c0d0e0f10111213", "1f820273c65246b76d4ff8d1add72d5cc1703338",
          "eba14d6b95d20687d1585a6ac5b48509");
    check(seal_chacha20_poly1305, open_chacha20_poly1305,
          "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", "070000004041424344454647",
          "50515253c0c1c2c3c4c5c6c7",
          "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636f756c64206f"
          "6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73637265656e20776f756c6420"
          "62652069742e",
          "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e06"
          "0b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d265"
          "86cec64b6116",
          "1ae10b594f09e26a7e902ecbd0600691");
    check(seal_ccm, open_ccm, "404142434445464748494a4b4c4d4e4f", "10111213141516", "0001020304050607", "20212223",
          "7162015b", "4dac255d");
#if !defined(__AVR__)
    check(seal_gcm, open_gcm, "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
          "feedfacedeadbeeffeedfacedeadbeef",
          "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0d"
          "e657ba637b391aafd255",
          "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0a"
          "ac973d58e091473f5985",
          "02f10806fe1e4bee67d42db661e012ce");
#endif
    return kit_result();
}
