/* Authenticated encryption, tags of messages, and sealed messages. */
#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/ccm.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/cmac.h>
#include <tatu/hmac_sha256.h>
#include <tatu/sealed.h>

#include "transcript.h"

#define TAG_BYTES 16

static uint8_t message[LONGEST_HASHED], output[LONGEST + 16], back[LONGEST], tag[TAG_BYTES];

/* Seals a message in one call and, where there is a way, in two pieces; opens it; then with a bit of the tag flipped. */
#define RUN_AEAD(label, key_bytes, nonce_bytes, prepare, seal, seal_in_pieces, open)  \
    do {                                                                              \
        uint8_t key[key_bytes], nonce[nonce_bytes], header[21];                       \
        begin_line(label);                                                            \
        for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 5)) { \
            const size_t header_length = length % (sizeof header + 1);                \
            const size_t first = length / 3;                                          \
            fill(key, sizeof key);                                                    \
            fill(nonce, sizeof nonce);                                                \
            fill(header, sizeof header);                                              \
            fill(message, length);                                                    \
            prepare;                                                                  \
            fold_result(seal);                                                        \
            fold(output, length);                                                     \
            fold(tag, sizeof tag);                                                    \
            (void)first;                                                              \
            seal_in_pieces;                                                           \
            fold(output, length);                                                     \
            fold(tag, sizeof tag);                                                    \
            fold_result(open);                                                        \
            fold(back, length);                                                       \
            tag[length % TAG_BYTES] ^= 4;                                             \
            fold_result(open);                                                        \
            fold(back, length);                                                       \
        }                                                                             \
        end_line();                                                                   \
    } while (0)

static void run_ciphers_with_tags(void)
{
    struct tatu_aes128 aes;
    struct tatu_cmac_key cmac_key;
    struct tatu_cmac cmac;
    struct tatu_ascon_aead128_encryption ascon;
    struct tatu_chacha20_poly1305_encryption chacha;
    uint8_t cmac_key_bytes[16];

    RUN_AEAD("ascon-aead128", 16, 16, (void)0,
             tatu_ascon_aead128_encrypt(key, output, message, length, header, header_length, nonce, tag, TAG_BYTES),
             tatu_ascon_aead128_encrypt_init(&ascon, key, header, header_length, nonce);
             tatu_ascon_aead128_encrypt_update(&ascon, output, message, first);
             tatu_ascon_aead128_encrypt_update(&ascon, output + first, message + first, length - first);
             fold_result(tatu_ascon_aead128_encrypt_final(&ascon, tag, TAG_BYTES)),
             tatu_ascon_aead128_decrypt(key, back, output, length, header, header_length, nonce, tag, TAG_BYTES));
    RUN_AEAD("chacha20-poly1305", 32, 12, (void)0,
             tatu_chacha20_poly1305_encrypt(key, output, message, length, header, header_length, nonce, tag),
             tatu_chacha20_poly1305_encrypt_init(&chacha, key, header, header_length, nonce);
             fold_result(tatu_chacha20_poly1305_encrypt_update(&chacha, output, message, first)); fold_result(
                 tatu_chacha20_poly1305_encrypt_update(&chacha, output + first, message + first, length - first));
             fold_result(tatu_chacha20_poly1305_encrypt_final(&chacha, tag)),
             tatu_chacha20_poly1305_decrypt(key, back, output, length, header, header_length, nonce, tag));
    RUN_AEAD("aes128-ccm", 16, 13, tatu_aes128_set_key(&aes, key),
             tatu_aes128_ccm_encrypt(&aes, output, message, length, header, header_length, nonce, sizeof nonce, tag,
                                     TAG_BYTES),
             (void)0,
             tatu_aes128_ccm_decrypt(&aes, back, output, length, header, header_length, nonce, sizeof nonce, tag,
                                     TAG_BYTES));
    begin_line("aes128-cmac");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 5)) {
        fill(cmac_key_bytes, sizeof cmac_key_bytes);
        fill(message, length);
        tatu_aes128_set_key(&aes, cmac_key_bytes);
        tatu_cmac_set_key(&cmac_key, tatu_aes128_encrypter(&aes));
        fold_result(tatu_cmac(&cmac_key, tag, sizeof tag, message, length));
        fold(tag, sizeof tag);
        tatu_cmac_init(&cmac, &cmac_key);
        tatu_cmac_update(&cmac, message, length / 3u);
        tatu_cmac_update(&cmac, message + length / 3, length - length / 3u);
        fold_result(tatu_cmac_verify_final(&cmac, tag, sizeof tag));
        tag[length % TAG_BYTES] ^= 8;
        fold_result(tatu_cmac_verify(&cmac_key, tag, sizeof tag, message, length));
    }
    end_line();
}

static void run_macs(void)
{
    uint8_t key[32], block[32];

    begin_line("ascon-mac");
    for (uint8_t i = 0; i < 22; i++) {
        fill(key, sizeof key);
        fill(message, 7u * i);
        tatu_ascon_mac(key, block, message, 7u * i);
        fold(block, 16);
        fold_result(tatu_ascon_mac_verify(key, block, 8u + i % 9u, message, 7u * i));
    }
    end_line();
    begin_line("poly1305");
    for (uint8_t i = 0; i < 22; i++) {
        fill(key, sizeof key);
        fill(message, 7u * i);
        tatu_poly1305_one_time(key, block, message, 7u * i);
        fold(block, 16);
        fold_result(tatu_poly1305_one_time_verify(key, block, message, 7u * i));
    }
    end_line();
    begin_line("hmac-sha256");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 9)) {
        fill(message, LONGEST_HASHED);
        tatu_hmac_sha256(message, length, block, message + length, (size_t)(LONGEST_HASHED - length));
        fold(block, TATU_HMAC_SHA256_TAG_BYTES);
        fold_result(tatu_hmac_sha256_verify(message, length, block, 16u + length % 16u, message + length,
                                            (size_t)(LONGEST_HASHED - length)));
        block[5] ^= 1;
        fold_result(
            tatu_hmac_sha256_verify(message, length, block, 32, message + length, (size_t)(LONGEST_HASHED - length)));
    }
    end_line();
}

static void run_sealed(void)
{
    uint8_t key[16];

    begin_line("sealed");
    for (uint8_t length = 0; length <= LONGEST - TATU_SEALED_MORE_BYTES; length = (uint8_t)(length + 7)) {
        struct tatu_nonces nonces;
        fill(key, sizeof key);
        fill(message, LONGEST);
        /* One number is reserved: the second message gets none. */
        tatu_nonces_start(&nonces, message, UINT64_C(0x0102030405060708) + length, 1);
        fold_result(tatu_seal(key, output, message, length, message, length, tatu_nonces_take, &nonces));
        fold(output, (size_t)length + TATU_SEALED_MORE_BYTES);
        fold_result(tatu_unseal(key, back, output, (size_t)length + TATU_SEALED_MORE_BYTES, message, length));
        fold(back, length);
        output[length]++;
        fold_result(tatu_unseal(key, back, output, (size_t)length + TATU_SEALED_MORE_BYTES, message, length));
        fold(back, length);
        fold_result(tatu_seal(key, output, message, length, message, length, tatu_nonces_take, &nonces));
        fold(output, (size_t)length + TATU_SEALED_MORE_BYTES);
    }
    end_line();
}

void transcript_authentication(void)
{
    run_ciphers_with_tags();
    run_macs();
    run_sealed();
}
