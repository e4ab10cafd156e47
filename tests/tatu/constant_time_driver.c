/* Tests that no branch and no address depends on a secret. Clang's MemorySanitizer stops a program at the first one
 * that depends on uninitialized memory, and follows such data through all computations. The driver marks keys,
 * messages and states as uninitialized and runs every algorithm. With an argument, it looks up a secret in a table,
 * and the sanitizer must stop it. */
#include <string.h>

#include <sanitizer/msan_interface.h>

#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/cbc.h>
#include <tatu/ccm.h>
#include <tatu/chacha20.h>
#include <tatu/chacha20_poly1305.h>
#include <tatu/cmac.h>
#include <tatu/ctr.h>
#include <tatu/drbg.h>
#include <tatu/equal.h>
#include <tatu/gcm.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>
#include <tatu/rc6.h>
#include <tatu/sha256.h>
#include <tatu/sha512.h>
#include <tatu/sha3.h>
#include <tatu/speck.h>
#include <tatu/x25519.h>

static uint8_t key[32];
static uint8_t block[16];
static uint8_t packet[16 + 48];
static uint8_t message[300];
static uint8_t output[300];
static uint8_t tag[16];

static void make_secret(void *memory, size_t length)
{
    memset(memory, 0x3c, length);
    __msan_allocated_memory(memory, length);
}

static int public_iv(void *state, uint8_t *output, size_t length)
{
    (void)state;
    memset(output, 0x11, length);
    return TATU_OK;
}

#define RUN(context_type, set_key, function) \
    do {                                     \
        struct context_type context;         \
        make_secret(key, sizeof key);        \
        make_secret(block, sizeof block);    \
        set_key(&context, key);              \
        function(&context, block, block);    \
    } while (0)

#define RUN_VARIANTS(name)                                                         \
    RUN(name, name##_set_key, name##_encrypt);                                     \
    RUN(name, name##_set_key, name##_decrypt);                                     \
    RUN(name##_small, name##_small_set_key, name##_small_encrypt);                 \
    RUN(name##_small_decrypt, name##_small_set_decrypt_key, name##_small_decrypt); \
    RUN(name##_tiny, name##_tiny_set_key, name##_tiny_encrypt);                    \
    RUN(name##_tiny, name##_tiny_set_key, name##_tiny_decrypt)

static int run_modes(void)
{
    struct tatu_aes128 context;
    struct tatu_ctr ctr;
    struct tatu_drbg drbg;
    int results = 0;

    make_secret(key, sizeof key);
    make_secret(packet, sizeof packet);
    tatu_aes128_set_key(&context, key);
    results |= tatu_cbc_encrypt(tatu_aes128_encrypter(&context), packet, packet, 48, public_iv, NULL);
    results |= tatu_cbc_decrypt(tatu_aes128_decrypter(&context), packet, packet, 48);
    results |= tatu_ctr_start(&ctr, tatu_aes128_encrypter(&context), public_iv, NULL);
    results |= tatu_ctr_encrypt(&ctr, packet, packet, 47);
    results |= tatu_drbg_start(&drbg, public_iv, NULL);
    make_secret(&drbg.key, sizeof drbg.key);
    make_secret(drbg.v, sizeof drbg.v);
    results |= tatu_drbg_generate(&drbg, packet, sizeof packet);
    results |= tatu_drbg_generate(&drbg, packet, 1);
    return results;
}

static void run_rc6(void)
{
    struct tatu_rc6 context;

    make_secret(key, sizeof key);
    make_secret(block, sizeof block);
    tatu_rc6_128_set_key(&context, key);
    tatu_rc6_192_set_key(&context, key);
    tatu_rc6_256_set_key(&context, key);
    tatu_rc6_encrypt(&context, block, block);
    tatu_rc6_decrypt(&context, block, block);
}

static void run_hashes(void)
{
    make_secret(message, sizeof message);
    tatu_ascon_hash256(output, message, sizeof message);
    tatu_ascon_xof128(output, sizeof output, message, sizeof message);
    tatu_sha256(output, message, sizeof message);
    tatu_sha512(output, message, sizeof message);
    tatu_sha3_256(output, message, sizeof message);
    tatu_sha3_512(output, message, sizeof message);
    tatu_shake128(output, sizeof output, message, sizeof message);
    tatu_shake256(output, sizeof output, message, sizeof message);
    make_secret(key, sizeof key);
    tatu_hmac_sha256(key, sizeof key, output, message, sizeof message);
    tatu_ascon_mac(key, output, message, sizeof message);
    tatu_poly1305_one_time(key, output, message, sizeof message - 1);
    (void)!tatu_hkdf_sha256(output, 100, message, 16, key, sizeof key, message, 20);
}

/* Encryption and tags only: a decryption branches on whether the tag holds, which its result tells everyone. */
static int run_authentication(void)
{
    static const uint8_t nonce[16] = {1};
    const size_t length = sizeof message - 1;
    struct tatu_aes128 aes;
    struct tatu_speck64_128 speck;
    struct tatu_cmac_key cmac;
    struct tatu_gcm_key gcm;
    int results = 0;

    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    tatu_aes128_set_key(&aes, key);
    tatu_speck64_128_set_key(&speck, key);
    results |= tatu_ascon_aead128_encrypt(key, output, message, length, message, 21, nonce, tag, sizeof tag);
    results |= tatu_chacha20_crypt(key, output, message, length, 1, nonce);
    results |= tatu_chacha20_poly1305_encrypt(key, output, message, length, message, 21, nonce, tag);
    results |= tatu_aes128_ccm_encrypt(&aes, output, message, length, message, 21, nonce, 13, tag, sizeof tag);
    results |= tatu_gcm_set_key(&gcm, tatu_aes128_encrypter(&aes));
    results |= tatu_gcm_encrypt(&gcm, output, message, length, message, 21, nonce, tag, sizeof tag);
    tatu_cmac_set_key(&cmac, tatu_aes128_encrypter(&aes));
    results |= tatu_cmac(&cmac, tag, 16, message, length);
    tatu_cmac_set_key(&cmac, tatu_speck64_128_encrypter(&speck));
    results |= tatu_cmac(&cmac, tag, 8, message, length);
    return results;
}

/* Not the result of tatu_x25519, which tells everyone whether the public key was refused. */
static void run_key_exchange(void)
{
    static const uint8_t peer[32] = {9, 8, 7};

    make_secret(key, sizeof key);
    tatu_x25519_public_key(output, key);
    (void)!tatu_x25519(output, key, peer);
}

int main(int count, char **arguments)
{
    static const uint8_t table[256] = {1, 2, 3};

    (void)arguments;
    RUN_VARIANTS(tatu_aes128);
    RUN_VARIANTS(tatu_aes192);
    RUN_VARIANTS(tatu_aes256);
    RUN(tatu_aes128, tatu_aes128_ram_set_key, tatu_aes128_ram_encrypt);
    RUN(tatu_aes128, tatu_aes128_ram_set_key, tatu_aes128_ram_decrypt);
    RUN_VARIANTS(tatu_speck128_128);
    RUN_VARIANTS(tatu_speck128_192);
    RUN_VARIANTS(tatu_speck128_256);
    RUN_VARIANTS(tatu_speck64_128);
    run_rc6();
    run_hashes();
    run_key_exchange();
    make_secret(key, sizeof key);
    make_secret(message, sizeof message);
    packet[0] = (uint8_t)tatu_equal(key, message, sizeof key); /* the result is secret too until it is used */
    if (run_modes() != TATU_OK || run_authentication() != TATU_OK) {
        return 3;
    }
    if (count > 1) {
        make_secret(key, sizeof key);
        packet[0] = table[key[0]];
    }
    return 0;
}
