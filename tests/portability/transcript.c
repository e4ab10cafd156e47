/* Every function of Tatu on the same inputs on every machine: a line for each algorithm, its name and a checksum of all that it
 * answered. The lines are the same wherever this runs; where one differs, the machine's code for that algorithm is wrong. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/ccm.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/ed25519.h>
#include <tatu/ascon.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>
#include <tatu/lms.h>
#include <tatu/p256.h>
#include <tatu/rc6.h>
#include <tatu/rsa.h>
#include <tatu/sealed.h>
#include <tatu/sha256.h>
#include <tatu/sha512.h>
#include <tatu/slh_dsa.h>
#include <tatu/sha3.h>
#include <tatu/speck.h>
#include <tatu/x25519.h>

#include "transcript_output.h"

#define KEYS 16
#define LONGEST 80
#define LONGEST_HASHED 150
#define TAG_BYTES 16

/* ---- block ciphers ---- */

/* The expanded key of plain AES is laid out as the machine's fastest code wants it. */
static void leave_out(const void *bytes, size_t length)
{
    (void)bytes;
    (void)length;
}

#define RUN_CIPHER(name, context, decrypt_context, set_decrypt_key, key_bytes, block_bytes, fold_key) \
    static void run_##name##_##key_bytes(void)                                                        \
    {                                                                                                 \
        struct context encryption;                                                                    \
        struct decrypt_context decryption;                                                            \
        uint8_t key[key_bytes], input[block_bytes], output[block_bytes];                              \
        begin(#name);                                                                                 \
        for (uint8_t i = 0; i < KEYS; i++) {                                                          \
            fill(key, sizeof key);                                                                    \
            fill(input, sizeof input);                                                                \
            name##_set_key(&encryption, key);                                                         \
            fold_key(&encryption, sizeof encryption);                                                 \
            name##_encrypt(&encryption, output, input);                                               \
            fold(output, sizeof output);                                                              \
            set_decrypt_key(&decryption, key);                                                        \
            fold_key(&decryption, sizeof decryption);                                                 \
            name##_decrypt(&decryption, output, input);                                               \
            fold(output, sizeof output);                                                              \
            name##_encrypt(&encryption, input, input);                                                \
            fold(input, sizeof input);                                                                \
            name##_decrypt(&decryption, output, output);                                              \
            fold(output, sizeof output);                                                              \
        }                                                                                             \
        end();                                                                                        \
    }
#define RUN_VARIANTS(name, key_bytes, block_bytes, fold_key)                                                           \
    RUN_CIPHER(name, name, name, name##_set_key, key_bytes, block_bytes, fold_key)                                     \
    RUN_CIPHER(name##_small, name##_small, name##_small_decrypt, name##_small_set_decrypt_key, key_bytes, block_bytes, \
               fold)                                                                                                   \
    RUN_CIPHER(name##_tiny, name##_tiny, name##_tiny, name##_tiny_set_key, key_bytes, block_bytes, fold)
#define RUN_RAM(name, key_bytes) RUN_CIPHER(name##_ram, name, name, name##_ram_set_key, key_bytes, 16, leave_out)

RUN_VARIANTS(tatu_aes128, 16, 16, leave_out)
RUN_VARIANTS(tatu_aes192, 24, 16, leave_out)
RUN_VARIANTS(tatu_aes256, 32, 16, leave_out)
RUN_RAM(tatu_aes128, 16)
RUN_RAM(tatu_aes192, 24)
RUN_RAM(tatu_aes256, 32)
RUN_VARIANTS(tatu_speck128_128, 16, 16, fold)
RUN_VARIANTS(tatu_speck128_192, 24, 16, fold)
RUN_VARIANTS(tatu_speck128_256, 32, 16, fold)
RUN_VARIANTS(tatu_speck64_128, 16, 8, fold)

/* RC6 has one context for all key sizes, whose words are the machine's own. */
#define RUN_RC6(name, set_key, key_bytes)              \
    static void run_##set_key(void)                    \
    {                                                  \
        struct tatu_rc6 context;                       \
        uint8_t key[key_bytes], input[16], output[16]; \
        begin(#set_key);                               \
        for (uint8_t i = 0; i < KEYS; i++) {           \
            fill(key, sizeof key);                     \
            fill(input, sizeof input);                 \
            set_key(&context, key);                    \
            name##_encrypt(&context, output, input);   \
            fold(output, sizeof output);               \
            name##_decrypt(&context, output, input);   \
            fold(output, sizeof output);               \
            name##_encrypt(&context, input, input);    \
            fold(input, sizeof input);                 \
            name##_decrypt(&context, output, output);  \
            fold(output, sizeof output);               \
        }                                              \
        end();                                         \
    }

RUN_RC6(tatu_rc6, tatu_rc6_128_set_key, 16)
RUN_RC6(tatu_rc6, tatu_rc6_192_set_key, 24)
RUN_RC6(tatu_rc6, tatu_rc6_256_set_key, 32)
RUN_RC6(tatu_rc6_tiny, tatu_rc6_tiny_128_set_key, 16)
RUN_RC6(tatu_rc6_tiny, tatu_rc6_tiny_192_set_key, 24)
RUN_RC6(tatu_rc6_tiny, tatu_rc6_tiny_256_set_key, 32)

#define CALL_VARIANTS(name, key_bytes) \
    run_##name##_##key_bytes();        \
    run_##name##_small_##key_bytes();  \
    run_##name##_tiny_##key_bytes()

static void run_ciphers(void)
{
    CALL_VARIANTS(tatu_aes128, 16);
    CALL_VARIANTS(tatu_aes192, 24);
    CALL_VARIANTS(tatu_aes256, 32);
    run_tatu_aes128_ram_16();
    run_tatu_aes192_ram_24();
    run_tatu_aes256_ram_32();
    CALL_VARIANTS(tatu_speck128_128, 16);
    CALL_VARIANTS(tatu_speck128_192, 24);
    CALL_VARIANTS(tatu_speck128_256, 32);
    CALL_VARIANTS(tatu_speck64_128, 16);
    run_tatu_rc6_128_set_key();
    run_tatu_rc6_192_set_key();
    run_tatu_rc6_256_set_key();
    run_tatu_rc6_tiny_128_set_key();
    run_tatu_rc6_tiny_192_set_key();
    run_tatu_rc6_tiny_256_set_key();
}

/* ---- modes, over the smallest contexts ---- */

static uint8_t message[LONGEST_HASHED], output[LONGEST + 16], back[LONGEST];

static void run_modes(void)
{
    struct tatu_aes128_tiny aes;
    struct tatu_speck64_128_tiny speck;
    struct tatu_ctr ctr;
    struct tatu_drbg drbg;
    uint8_t key[16];

    begin("cbc");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 8)) {
        fill(key, sizeof key);
        fill(message, length);
        tatu_aes128_tiny_set_key(&aes, key);
        tatu_speck64_128_tiny_set_key(&speck, key);
        memset(output, 0, sizeof output);
        fold_result(tatu_cbc_encrypt(tatu_aes128_tiny_encrypter(&aes), output, message, length, random_entropy, NULL));
        fold(output, sizeof output);
        fold_result(tatu_cbc_decrypt(tatu_aes128_tiny_decrypter(&aes), back, output, length));
        fold(back, length);
        fold_result(
            tatu_cbc_encrypt(tatu_speck64_128_tiny_encrypter(&speck), output, message, length, random_entropy, NULL));
        fold(output, length + 8u);
        fold_result(tatu_cbc_decrypt(tatu_speck64_128_tiny_decrypter(&speck), back, output, length));
        fold(back, length);
    }
    end();
    begin("ctr");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 7)) {
        fill(key, sizeof key);
        fill(message, length);
        tatu_aes128_tiny_set_key(&aes, key);
        fold_result(tatu_ctr_start(&ctr, tatu_aes128_tiny_encrypter(&aes), random_entropy, NULL));
        fold_result(tatu_ctr_encrypt(&ctr, output, message, length));
        fold(output, length + 16u);
        tatu_ctr_decrypt(tatu_aes128_tiny_encrypter(&aes), back, output, length);
        fold(back, length);
    }
    end();
    begin("drbg");
    fold_result(tatu_drbg_start(&drbg, random_entropy, NULL));
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 9)) {
        fold_result(tatu_drbg_generate(&drbg, output, length));
        fold(output, length);
    }
    fold_result(tatu_drbg_reseed(&drbg, random_entropy, NULL));
    fold_result(tatu_drbg_generate(&drbg, output, LONGEST));
    fold(output, LONGEST);
    end();
}

/* ---- authentication ---- */

static uint8_t tag[TAG_BYTES];

/* Seals a message in one call and, where there is a way, in two pieces; opens it; then with a bit of the tag flipped. */
#define RUN_AEAD(label, key_bytes, nonce_bytes, prepare, seal, seal_in_pieces, open)  \
    do {                                                                              \
        uint8_t key[key_bytes], nonce[nonce_bytes], header[21];                       \
        begin(label);                                                                 \
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
        end();                                                                        \
    } while (0)

static void run_authentication(void)
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
    begin("aes128-cmac");
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
    end();
}

/* ---- hashes ---- */

#define RUN_HASH(name, digest_bytes)                                                          \
    do {                                                                                      \
        struct name hash;                                                                     \
        begin(#name);                                                                         \
        for (uint8_t length = 0; length <= LONGEST_HASHED; length = (uint8_t)(length + 25)) { \
            fill(message, length);                                                            \
            name(output, message, length);                                                    \
            fold(output, digest_bytes);                                                       \
            name##_init(&hash);                                                               \
            name##_update(&hash, message, length / 3u);                                       \
            name##_update(&hash, message + length / 3, length - length / 3u);                 \
            name##_final(&hash, output);                                                      \
            fold(output, digest_bytes);                                                       \
        }                                                                                     \
        end();                                                                                \
    } while (0)

#define RUN_SHAKE(name)                                 \
    do {                                                \
        struct name xof;                                \
        begin(#name);                                   \
        fill(message, LONGEST_HASHED);                  \
        name(output, LONGEST, message, LONGEST_HASHED); \
        fold(output, LONGEST);                          \
        name##_init(&xof);                              \
        name##_update(&xof, message, LONGEST_HASHED);   \
        for (uint8_t i = 0; i < 5; i++) {               \
            name##_squeeze(&xof, output, LONGEST - 7);  \
            fold(output, LONGEST - 7);                  \
        }                                               \
        end();                                          \
    } while (0)

static void run_hashes(void)
{
    uint8_t key[32], nonce[12], block[64];

    RUN_HASH(tatu_ascon_hash256, 32);
    RUN_HASH(tatu_sha256, 32);
    RUN_HASH(tatu_sha512, 64);
    RUN_HASH(tatu_sha3_256, 32);
    RUN_HASH(tatu_sha3_512, 64);
    RUN_SHAKE(tatu_shake128);
    RUN_SHAKE(tatu_shake256);
    begin("ascon-xof128");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 13)) {
        fill(message, length);
        tatu_ascon_xof128(output, LONGEST - length, message, length);
        fold(output, (size_t)(LONGEST - length));
    }
    end();
    begin("ascon-mac");
    for (uint8_t i = 0; i < 22; i++) {
        fill(key, sizeof key);
        fill(message, 7u * i);
        tatu_ascon_mac(key, block, message, 7u * i);
        fold(block, 16);
        fold_result(tatu_ascon_mac_verify(key, block, 8u + i % 9u, message, 7u * i));
    }
    end();
    begin("poly1305");
    for (uint8_t i = 0; i < 22; i++) {
        fill(key, sizeof key);
        fill(message, 7u * i);
        tatu_poly1305_one_time(key, block, message, 7u * i);
        fold(block, 16);
        fold_result(tatu_poly1305_one_time_verify(key, block, message, 7u * i));
    }
    end();
    begin("hmac-sha256");
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
    end();
    begin("hkdf-sha256");
    for (uint8_t length = 0; length <= LONGEST; length = (uint8_t)(length + 11)) {
        fill(message, LONGEST_HASHED);
        fold_result(tatu_hkdf_sha256(output, length, message, length, message, 32, message + 32, length));
        fold(output, length);
    }
    end();
    begin("lms");
    for (uint8_t type = 0; type < 2; type++) { /* others take too long in C on AVR */
        uint8_t public_key[TATU_LMS_PUBLIC_KEY_BYTES] = {0, 0, 0, 0x5, 0, 0, 0, type};
        struct tatu_lms lms;
        fill(message, LONGEST_HASHED);
        memcpy(message, public_key, 8);
        message[3] = type;
        fold_result(tatu_lms_init(&lms, public_key, message));
        tatu_lms_update_message(&lms, message, LONGEST);
        for (uint8_t i = 0; i < 40; i++) {
            tatu_lms_update_signature(&lms, message, LONGEST);
        }
        fold_result(tatu_lms_final(&lms));
    }
    end();
    begin("slh_dsa");
    {
        struct tatu_slh_dsa_sha2_128s slh;
        fill(message, LONGEST_HASHED);
        fold_result(tatu_slh_dsa_sha2_128s_init(&slh, message, message + 32, message, 5));
        tatu_slh_dsa_sha2_128s_update_message(&slh, message, LONGEST);
        for (uint8_t i = 0; i < 3; i++) {
            tatu_slh_dsa_sha2_128s_update_signature(&slh, message, LONGEST);
            fold(slh.block, 54);
        }
        fold_result(tatu_slh_dsa_sha2_128s_final(&slh));
    }
    end();
    begin("rsa");
    {
        static uint8_t modulus[TATU_RSA2048_BYTES], signature[TATU_RSA2048_BYTES];
        memset(modulus, 0xff, sizeof modulus);
        for (uint8_t last = 0; last < 2; last++) {
            modulus[sizeof modulus - 1] = (uint8_t)(0xfe | last);
            memset(signature, 0x5a + last, sizeof signature);
            fold_result(tatu_rsa2048_verify_pkcs1(modulus, 3, signature, message));
            fold_result(tatu_rsa2048_verify_pss(modulus, 3, signature, message));
        }
    }
    end();
    begin("sealed");
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
    end();
    begin("chacha20");
    for (uint8_t i = 0; i < KEYS; i++) {
        fill(key, sizeof key);
        fill(nonce, sizeof nonce);
        tatu_chacha20_block(key, block, UINT32_C(0xfffffff8) + i, nonce);
        fold(block, sizeof block);
        fold_result(tatu_chacha20_crypt(key, output, block, 4u * i, UINT32_C(0x7fffffff), nonce));
        fold(output, 4u * i);
    }
    end();
}

static void run_key_exchange(void)
{
    uint8_t key[32], public_key[32], shared[32];

    begin("x25519");
    for (uint8_t i = 0; i < 2; i++) {
        fill(key, sizeof key);
        tatu_x25519_public_key(public_key, key);
        fold(public_key, sizeof public_key);
        fill(key, sizeof key);
        fold_result(tatu_x25519(shared, key, public_key));
        fold(shared, sizeof shared);
    }
    memset(public_key, 0, sizeof public_key);
    fold_result(tatu_x25519(shared, key, public_key));
    end();
}

static void run_ed25519(void)
{
    struct tatu_ed25519_key key;
    uint8_t secret[32], signature[64], message[40];

    begin("ed25519");
    fill(secret, sizeof secret);
    fill(message, sizeof message);
    tatu_ed25519_set_key(&key, secret);
    fold(key.public_key, sizeof key.public_key);
    tatu_ed25519_sign(&key, signature, message, sizeof message);
    fold(signature, sizeof signature);
    fold_result(tatu_ed25519_verify(key.public_key, signature, message, sizeof message));
    fold_result(tatu_ed25519_verify(message, signature, message, sizeof message));
    end();
}

/* Signing and verifying have every part of the others in them. An AVR without assembly needs a billion cycles for it. */
static void run_p256(void)
{
    /* RFC 6979, section A.2.5 */
    static const uint8_t secret[32] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21,
                                       0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8,
                                       0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};
    static const uint8_t public_key[64] = {0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb, 0x74, 0xc6,
                                           0x35, 0x6d, 0x68, 0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61, 0xfa, 0x6c, 0xe6, 0x69,
                                           0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6, 0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8, 0xbc,
                                           0x99, 0xa4, 0x1a, 0xe9, 0xe9, 0x56, 0x28, 0xbc, 0x64, 0xf2, 0xf1, 0xb2, 0x0c,
                                           0x2d, 0x7e, 0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99};
    uint8_t signature[64], digest[32];

    begin("p256");
    fill(digest, sizeof digest);
    fold_result(tatu_p256_sign(secret, signature, digest));
    fold(signature, sizeof signature);
    fold_result(tatu_p256_verify(public_key, signature, digest));
    end();
}

int main(void)
{
    open_output();
    run_ciphers();
    run_modes();
    run_authentication();
    run_hashes();
    run_key_exchange();
    run_ed25519();
    run_p256();
    close_output();
    return 0;
}
